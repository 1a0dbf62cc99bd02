/** Part 8: the breakdown of the cost of a move, a connect and a create, next to the ceiling's. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startScript } from '../contenders.ts';
import type { ProfileFigures, ProfileLoad, ProfileSubject } from '../jobs.ts';
import { startMatchd } from '../matchd-server.ts';
import { CACHE_DIR } from '../peer-setup.ts';
import type { Extras, Processes } from '../processes.ts';
import type { HeapCost } from '../profile/allocations.ts';
import { ALLOCATION_ENV, makeAllocationLog } from '../profile/allocations.ts';
import type { ThreadProfile } from '../profile/functions.ts';
import { agentEnv, readThreadProfiles } from '../profile/functions.ts';
import type { SyscallCounts } from '../profile/syscalls.ts';
import type { StartedServer } from '../started-server.ts';
import { underTest, whileRunning } from '../started-server.ts';
import { recordAnswerOf } from './creation.ts';

const JOB_WITHIN_MS = 240_000;
/** Matches of a span by load: a span must last far longer than a collection's cycle. */
const MATCHES = { moves: 1_000, connects: 1_000, creates: 4_000 } as const;
const SPANS = { warmUpSpans: 4, spans: 6 };
const QUICK_SPANS = { warmUpSpans: 2, spans: 2 };
/** Counting system calls slows a server a lot. */
const SYSCALL_SPANS = { warmUpSpans: 1, spans: 1 };
/** The agent writes samples every second. */
const LAST_SAMPLES_MS = 2_500;

/** One subject's results under one load, each figure from its own run. */
export interface SubjectProfile {
  /** Undisturbed. */
  readonly plain: ProfileFigures;
  readonly functions: Readonly<Record<string, ThreadProfile>>;
  readonly allocations: { readonly units: number; readonly heaps: readonly HeapCost[] };
  /** Null where they could not be counted. */
  readonly syscalls: { readonly units: number; readonly counts: SyscallCounts } | null;
}

export interface LoadProfile {
  readonly load: ProfileLoad;
  readonly matchd: SubjectProfile;
  readonly ceiling: SubjectProfile;
  /** What could not be measured, one sentence each. */
  readonly missing: readonly string[];
}

type Start = (extras: Extras) => Promise<StartedServer>;
type Drive = (
  server: StartedServer,
  spans: typeof SPANS,
  countSyscalls?: boolean,
) => Promise<ProfileFigures>;

export async function measureProfiles(
  loads: readonly ProfileLoad[],
  processes: Processes,
  { quick }: { readonly quick: boolean },
  log: (text: string) => void,
): Promise<LoadProfile[]> {
  const answerFile = join(CACHE_DIR, `answer-${process.pid}.json`);
  const profiles: LoadProfile[] = [];
  if (loads.includes('creates')) {
    await whileRunning(await startMatchd(processes), (server) =>
      recordAnswerOf(server, processes, answerFile),
    );
  }
  for (const load of loads) {
    const missing = new Set<string>();
    const profileOf = (subject: ProfileSubject): Promise<SubjectProfile> => {
      log(`profile: ${load}, ${subject}`);
      const start = starterOf(subject, load, processes, answerFile);
      const drive = driverOf(subject, load, processes);
      return profileSubject(start, drive, quick, missing, log);
    };
    const matchd = await profileOf('matchd');
    const ceiling = await profileOf('ceiling');
    for (const thread of ['main', 'writer']) {
      if (thread in matchd.functions) continue;
      missing.add(`CPU by function is left out of thread ${thread}: the runtime gave no samples`);
    }
    profiles.push({ load, matchd, ceiling, missing: [...missing] });
  }
  rmSync(answerFile, { force: true });
  return profiles;
}

function starterOf(
  subject: ProfileSubject,
  load: ProfileLoad,
  processes: Processes,
  answerFile: string,
): Start {
  if (subject === 'matchd') return (extras) => startMatchd(processes, undefined, extras);
  const scripts = {
    moves: ['ceiling.ts', []],
    connects: ['bare-connect.ts', []],
    creates: ['bare-create.ts', [answerFile]],
  } as const;
  const [script, args] = scripts[load];
  return (extras) => startScript(processes, script, args, extras);
}

function driverOf(subject: ProfileSubject, load: ProfileLoad, processes: Processes): Drive {
  return (server, spans, countSyscalls = false) => {
    const what = { load, subject, matches: MATCHES[load], ...spans, countSyscalls };
    return processes.drive<'profile'>(
      { kind: 'profile', server: underTest(server), ...what },
      JOB_WITHIN_MS,
    );
  };
}

async function profileSubject(
  start: Start,
  drive: Drive,
  quick: boolean,
  missing: Set<string>,
  log: (text: string) => void,
): Promise<SubjectProfile> {
  const spans = quick ? QUICK_SPANS : SPANS;
  log('  CPU by thread');
  const plain = await whileRunning(await start({}), (server) => drive(server, spans));
  log('  CPU by function');
  const functions = await profileFunctions(start, (server) => drive(server, spans));
  log('  allocations');
  const allocations = await countAllocations(start, (server) => drive(server, spans));
  log('  system calls');
  const syscalls = await countCalls(start, drive, missing);
  return { plain, functions, allocations, syscalls };
}

async function countCalls(
  start: Start,
  drive: Drive,
  missing: Set<string>,
): Promise<SubjectProfile['syscalls']> {
  try {
    const figures = await whileRunning(await start({}), (server) =>
      drive(server, SYSCALL_SPANS, true),
    );
    return { units: figures.units, counts: figures.syscalls! };
  } catch (error) {
    missing.add(`System calls are left out: ${(error as Error).message}`);
    return null;
  }
}

type DriveOnce = (server: StartedServer) => Promise<ProfileFigures>;

async function profileFunctions(
  start: Start,
  drive: DriveOnce,
): Promise<SubjectProfile['functions']> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-profile-'));
  try {
    return await whileRunning(await start({ env: agentEnv(folder) }), async (server) => {
      const { spans } = await drive(server);
      await Bun.sleep(LAST_SAMPLES_MS);
      return readThreadProfiles(folder, server.pid, spans);
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function countAllocations(
  start: Start,
  drive: DriveOnce,
): Promise<SubjectProfile['allocations']> {
  const allocations = makeAllocationLog(Date.now);
  const extras = { env: ALLOCATION_ENV, errors: allocations.take };
  return whileRunning(await start(extras), async (server) => {
    const { units, spans } = await drive(server);
    return { units, heaps: allocations.within(spans) };
  });
}
