/** CPU by function: samples of a server's threads, by spans of time. */

import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Span } from '../jobs.ts';

interface CallFrame {
  readonly functionName: string;
  /** Empty for the runtime's own functions. */
  readonly url: string;
  readonly lineNumber: number;
}

/** A profile as the runtime writes it, one of many slices of a thread. */
export interface Slice {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: CallFrame;
    /** Ids of the functions that it calls. */
    readonly children?: readonly number[];
  }[];
  /** Ids of nodes, and how long before each sample the one before it was, in µs. */
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
  /** µs since 1970. */
  readonly startTime: number;
}

/** Shares of a thread's samples in a function itself, without the functions that it calls. */
export interface ThreadProfile {
  readonly samples: number;
  readonly functions: readonly Share[];
  readonly files: readonly Share[];
}

export interface Share {
  readonly name: string;
  readonly share: number;
}

const ROOT = join(import.meta.dir, '../..');
const AGENT = 'bench/profile/agent.ts';
const NATIVE = '(runtime)';
const US_PER_MS = 1_000;

/** Makes the agent sample every Bun started with it, writing into `folder`. */
export function agentEnv(folder: string): Record<string, string> {
  return { BUN_OPTIONS: `--preload ${join(ROOT, AGENT)}`, BENCH_PROFILE_DIR: folder };
}

/** The agent's samples of one process, by thread. */
export function readThreadProfiles(
  folder: string,
  pid: number,
  spans: readonly Span[],
): Record<string, ThreadProfile> {
  const slices = new Map<string, Slice[]>();
  for (const file of readdirSync(folder).toSorted()) {
    const [owner, thread] = /^(\d+)-(.+)-\d+-\d+\.json$/.exec(file)?.slice(1) ?? [];
    if (owner !== String(pid) || thread === undefined) continue;
    const slice = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Slice;
    slices.set(thread, [...(slices.get(thread) ?? []), slice]);
  }
  const profiles = [...slices].map(([thread, own]) => [thread, profileOf(own, spans)] as const);
  return Object.fromEntries(profiles.filter(([, { samples }]) => samples > 0));
}

export function profileOf(slices: readonly Slice[], spans: readonly Span[]): ThreadProfile {
  const functions = new Map<string, number>();
  const files = new Map<string, number>();
  let samples = 0;
  for (const { nodes, samples: ids, timeDeltas, startTime } of slices) {
    const placeOf = placesOf(nodes);
    let atUs = startTime;
    for (const [i, id] of ids.entries()) {
      atUs += timeDeltas[i] ?? 0;
      const place = placeOf.get(id);
      if (place === undefined || place.name.includes(AGENT) || !isWithin(spans, atUs / US_PER_MS)) {
        continue;
      }
      samples++;
      count(functions, place.name);
      count(files, place.file);
    }
  }
  return { samples, functions: sharesOf(functions, samples), files: sharesOf(files, samples) };
}

export function isWithin(spans: readonly Span[], atMs: number): boolean {
  return spans.some(({ fromMs, toMs }) => atMs >= fromMs && atMs <= toMs);
}

interface Place {
  readonly name: string;
  readonly file: string;
}

/** By id of the node. A function of the runtime's is named with the file that calls it. */
function placesOf(nodes: Slice['nodes']): Map<number, Place> {
  const callerOf = new Map(
    nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node] as const)),
  );
  const callingFile = (id: number): string | null => {
    const caller = callerOf.get(id);
    if (caller === undefined) return null;
    return caller.callFrame.url === '' ? callingFile(caller.id) : fileOf(caller.callFrame);
  };
  return new Map(nodes.map(({ id, callFrame }) => [id, placeOf(callFrame, callingFile(id))]));
}

function placeOf(frame: CallFrame, callingFile: string | null): Place {
  const name = frame.functionName === '' ? '(anonymous)' : frame.functionName;
  if (frame.url !== '') {
    const file = fileOf(frame);
    return { name: `${name} ${file}:${frame.lineNumber + 1}`, file };
  }
  return { name: callingFile === null ? name : `${name} from ${callingFile}`, file: NATIVE };
}

function fileOf({ url }: CallFrame): string {
  return relative(ROOT, url.replace(/^file:\/\//, ''));
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function sharesOf(counts: ReadonlyMap<string, number>, samples: number): Share[] {
  return [...counts]
    .map(([name, times]) => ({ name, share: times / samples }))
    .toSorted((a, b) => b.share - a.share);
}
