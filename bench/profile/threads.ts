/** CPU by thread, and how often threads waited, from /proc. */

import { readdirSync, readFileSync } from 'node:fs';

export interface ThreadReading {
  readonly id: number;
  readonly name: string;
  readonly cpuNs: number;
  /** Clock ticks in user and kernel mode: coarse, good for their ratio. */
  readonly userTicks: number;
  readonly kernelTicks: number;
  /** Times the thread waited for something, and times it was interrupted by another. */
  readonly waits: number;
  readonly interruptions: number;
}

/** Threads of one kind over a span. */
export interface ThreadCost {
  readonly kind: string;
  readonly cpuUs: number;
  readonly kernelUs: number;
  readonly waits: number;
  readonly interruptions: number;
}

/** The purpose of Bun's and Node's threads, by their names; others keep their own. */
const KINDS: readonly (readonly [RegExp, string])[] = [
  [/^(JITWorker|JSCWarmUp)/, 'compilers'],
  [/^Heap|ollector/, 'garbage collector'],
  [/^mi-/, 'allocator'],
  [/^Worker$/, "workers: the store's writer"],
  [/^Bun Pool/, "the runtime's pool"],
];
const MAIN = 'main';
const NS_PER_US = 1_000;
/** Fields of /proc/PID/task/TID/stat after the name, which may hold spaces. */
const USER_FIELD = 11;
const KERNEL_FIELD = 12;

export function readThreads(pid: number): ThreadReading[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((id) => {
    try {
      return [readThread(`/proc/${pid}/task/${id}`, Number(id))];
    } catch {
      return []; // It has ended since the folder was listed.
    }
  });
}

/** Usage between two readings, by kind of thread, highest first. */
export function threadCosts(
  pid: number,
  before: readonly ThreadReading[],
  after: readonly ThreadReading[],
): ThreadCost[] {
  const earlier = new Map(before.map((reading) => [reading.id, reading]));
  const costs = after.map((reading) => costOfThread(pid, earlier.get(reading.id), reading));
  return addThreadCosts([], costs);
}

/** Adds costs of the same kind. */
export function addThreadCosts(
  some: readonly ThreadCost[],
  more: readonly ThreadCost[],
): ThreadCost[] {
  return [...Map.groupBy([...some, ...more], ({ kind }) => kind).values()]
    .map((own) =>
      own.reduce((sum, each) => ({
        kind: sum.kind,
        cpuUs: sum.cpuUs + each.cpuUs,
        kernelUs: sum.kernelUs + each.kernelUs,
        waits: sum.waits + each.waits,
        interruptions: sum.interruptions + each.interruptions,
      })),
    )
    .toSorted((a, b) => b.cpuUs - a.cpuUs);
}

/** Calls of read and write, of files and pipes; sockets are not among them. */
export function fileCalls(pid: number): number {
  const text = readFileSync(`/proc/${pid}/io`, 'utf8');
  return numberAfter(text, 'syscr') + numberAfter(text, 'syscw');
}

function costOfThread(
  pid: number,
  before: ThreadReading | undefined,
  after: ThreadReading,
): ThreadCost {
  const grown = (pick: (reading: ThreadReading) => number): number =>
    pick(after) - (before === undefined ? 0 : pick(before));
  const ticks = grown((each) => each.userTicks + each.kernelTicks);
  const cpuUs = grown((each) => each.cpuNs) / NS_PER_US;
  return {
    kind: kindOfThread(after, pid),
    cpuUs,
    kernelUs: ticks === 0 ? 0 : (cpuUs * grown((each) => each.kernelTicks)) / ticks,
    waits: grown((each) => each.waits),
    interruptions: grown((each) => each.interruptions),
  };
}

function kindOfThread({ id, name }: ThreadReading, pid: number): string {
  if (id === pid) return MAIN;
  return KINDS.find(([pattern]) => pattern.test(name))?.[1] ?? name;
}

function readThread(folder: string, id: number): ThreadReading {
  const stat = readFileSync(`${folder}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const status = readFileSync(`${folder}/status`, 'utf8');
  return {
    id,
    name: readFileSync(`${folder}/comm`, 'utf8').trim(),
    cpuNs: Number(readFileSync(`${folder}/schedstat`, 'utf8').split(' ')[0]),
    userTicks: Number(fields[USER_FIELD]),
    kernelTicks: Number(fields[KERNEL_FIELD]),
    waits: numberAfter(status, 'voluntary_ctxt_switches'),
    interruptions: numberAfter(status, 'nonvoluntary_ctxt_switches'),
  };
}

/** `name: 12` on a line of its own. */
function numberAfter(text: string, name: string): number {
  const line = text.split('\n').find((each) => each.startsWith(`${name}:`));
  return Number(line?.slice(name.length + 1));
}
