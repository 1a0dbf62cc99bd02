/** Runs one load in spans that others can observe: CPU by thread, traffic, system calls. */

import { makeCeilingAdapter } from '../adapters/ceiling.ts';
import { keyHeaders, makeMatchdAdapter } from '../adapters/matchd.ts';
import type { ProfileFigures, ProfileJob, Span } from '../jobs.ts';
import type { SyscallCounts } from '../profile/syscalls.ts';
import { countSyscalls } from '../profile/syscalls.ts';
import type { ThreadCost } from '../profile/threads.ts';
import { addThreadCosts, fileCalls, readThreads, threadCosts } from '../profile/threads.ts';
import { connectToBare, connectToMatchd } from './connecting.ts';
import { createMany } from './creation.ts';
import { makeHttpClient } from './http-client.ts';
import type { ScriptedMatch, Target } from './match.ts';
import { openScripted } from './match.ts';
import { costOf, runMany } from './measure.ts';

/** The measured work, between its preparation and its cleanup. */
interface Load {
  prepare(): Promise<void>;
  /** Returns the number of moves, connects or creates. */
  run(): Promise<number>;
  tidy(): Promise<void>;
}

const OPENING_MAX = 32;
const HTTP_CONNECTIONS = 64;
const PLAYERS = 2;
/** Before and after each span: a server's late work is not charged to the next one. */
const PAUSE_MS = 300;

export async function measureProfile(job: ProfileJob, target: Target): Promise<ProfileFigures> {
  const load = makeLoad(job, target);
  for (let n = 0; n < job.warmUpSpans; n++) {
    await load.prepare();
    await load.run();
    await load.tidy();
  }
  const spans: SpanFigures[] = [];
  for (let n = 0; n < job.spans; n++) {
    await load.prepare();
    await Bun.sleep(PAUSE_MS);
    spans.push(await measureSpan(job, target, load));
    await load.tidy();
    await Bun.sleep(PAUSE_MS);
  }
  return spans.reduce(addSpans);
}

type SpanFigures = ProfileFigures;

async function measureSpan(job: ProfileJob, target: Target, load: Load): Promise<SpanFigures> {
  const { pid } = job.server;
  let units = 0;
  const work = async (): Promise<void> => {
    units = await load.run();
  };
  const traffic = { ...target.traffic };
  const callsBefore = fileCalls(pid);
  const threadsBefore = readThreads(pid);
  const fromMs = Date.now();
  let syscalls: SyscallCounts | null = null;
  const cost = await costOf(pid, async () => {
    if (job.countSyscalls) syscalls = await countSyscalls(pid, work);
    else await work();
  });
  return {
    units,
    spans: [{ fromMs, toMs: Date.now() }],
    threads: threadCosts(pid, threadsBefore, readThreads(pid)),
    cpuUs: cost.cpuUs,
    wallMs: cost.wallMs,
    frames: target.traffic.frames - traffic.frames,
    bytes: target.traffic.bytes - traffic.bytes,
    fileCalls: fileCalls(pid) - callsBefore,
    syscalls,
  };
}

function addSpans(a: SpanFigures, b: SpanFigures): SpanFigures {
  const spans: Span[] = [...a.spans, ...b.spans];
  const threads: ThreadCost[] = addThreadCosts(a.threads, b.threads);
  return {
    units: a.units + b.units,
    spans,
    threads,
    cpuUs: a.cpuUs + b.cpuUs,
    wallMs: a.wallMs + b.wallMs,
    frames: a.frames + b.frames,
    bytes: a.bytes + b.bytes,
    fileCalls: a.fileCalls + b.fileCalls,
    syscalls: a.syscalls === null ? b.syscalls : addCounts(a.syscalls, b.syscalls ?? {}),
  };
}

function addCounts(a: SyscallCounts, b: SyscallCounts): SyscallCounts {
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  return Object.fromEntries(names.map((name) => [name, (a[name] ?? 0) + (b[name] ?? 0)]));
}

function makeLoad(job: ProfileJob, target: Target): Load {
  switch (job.load) {
    case 'moves':
      return makeMoves(job, target);
    case 'connects':
      return makeConnects(job, target);
    case 'creates':
      return makeCreates(job, target);
  }
}

function makeMoves({ subject, matches }: ProfileJob, target: Target): Load {
  const adapter = subject === 'matchd' ? makeMatchdAdapter(target, 2) : makeCeilingAdapter(target);
  let index = 0;
  let open: readonly ScriptedMatch[] = [];
  return {
    async prepare() {
      open = await runMany(matches, OPENING_MAX, () => openScripted(adapter, index++));
    },
    async run() {
      const played = await Promise.all(open.map((match) => match.play([])));
      return played.reduce((sum, moves) => sum + moves, 0);
    },
    tidy: async () => void (await Promise.all(open.map((match) => match.leave()))),
  };
}

function makeConnects({ subject, matches }: ProfileJob, target: Target): Load {
  const connecting = (subject === 'matchd' ? connectToMatchd : connectToBare)(target);
  return {
    prepare: () => connecting.create(matches),
    async run() {
      await connecting.connect();
      return matches * PLAYERS;
    },
    tidy: () => connecting.end(),
  };
}

function makeCreates({ matches }: ProfileJob, target: Target): Load {
  const http = makeHttpClient(target.address, HTTP_CONNECTIONS, keyHeaders(target.key));
  let index = 0;
  return {
    async prepare() {},
    async run() {
      await createMany(http, HTTP_CONNECTIONS, index, matches, []);
      index += matches;
      return matches;
    },
    async tidy() {},
  };
}
