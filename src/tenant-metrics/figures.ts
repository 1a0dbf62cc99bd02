/**
 * The counts of one world of a tenant in a span of time, on one node or all: a value that can be
 * merged.
 */

import {
  addTo,
  countOf,
  type Histogram,
  makeHistogram,
  parseHistogram,
  printHistogram,
} from './histogram.ts';

/** What adds up. */
export const COUNTS = [
  'sessionsCreated',
  'sessionsStarted',
  'sessionsEnded',
  /** Requests by their answers: below 400, refused by a 4xx, refused by a limit (429), failed by a 5xx. */
  'succeeded',
  'refused',
  'limited',
  'failed',
  /** Requests to endpoints of webhooks. */
  'delivered',
  'undelivered',
] as const;
export type CountName = (typeof COUNTS)[number];

/** Sampled once a minute; of a longer span the maximum of its minutes. */
export const GAUGES = ['playersConnected', 'matchesInPlay'] as const;
export type GaugeName = (typeof GAUGES)[number];

/** What takes time. */
export const TIMINGS = ['requests', 'moves', 'queueWaits', 'deliveries'] as const;
export type TimingName = (typeof TIMINGS)[number];

export interface Figures {
  readonly counts: Record<CountName, number>;
  readonly gauges: Record<GaugeName, number>;
  readonly timings: Record<TimingName, Histogram | null>;
}

export function makeFigures(): Figures {
  return {
    counts: zeros(COUNTS),
    gauges: zeros(GAUGES),
    timings: { requests: null, moves: null, queueWaits: null, deliveries: null },
  };
}

function zeros<Name extends string>(names: readonly Name[]): Record<Name, number> {
  return Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>;
}

/** The histogram of that name, made on first use. */
export function timingOf({ timings }: Figures, name: TimingName): Histogram {
  timings[name] ??= makeHistogram();
  return timings[name];
}

export function isEmpty({ counts, gauges, timings }: Figures): boolean {
  return (
    COUNTS.every((name) => counts[name] === 0) &&
    GAUGES.every((name) => gauges[name] === 0) &&
    TIMINGS.every((name) => timings[name] === null || countOf(timings[name]) === 0)
  );
}

/** All requests, however they were answered. */
export function requestsOf({ counts }: Pick<Figures, 'counts'>): number {
  const { succeeded, refused, limited, failed } = counts;
  return succeeded + refused + limited + failed;
}

/** One minute of several nodes. Each has players of its own; matches all nodes count for all. */
export function mergeNodes(parts: Iterable<Figures>): Figures {
  return merge(parts, (gauges, more) => {
    gauges.playersConnected += more.playersConnected;
    gauges.matchesInPlay = Math.max(gauges.matchesInPlay, more.matchesInPlay);
  });
}

/** Spans that follow each other, each of all nodes. */
export function mergeTimes(parts: Iterable<Figures>): Figures {
  return merge(parts, (gauges, more) => {
    for (const name of GAUGES) gauges[name] = Math.max(gauges[name], more[name]);
  });
}

type MergeGauges = (sum: Record<GaugeName, number>, more: Figures['gauges']) => void;

function merge(parts: Iterable<Figures>, mergeGauges: MergeGauges): Figures {
  const sum = makeFigures();
  for (const { counts, gauges, timings } of parts) {
    for (const name of COUNTS) sum.counts[name] += counts[name];
    mergeGauges(sum.gauges, gauges);
    for (const name of TIMINGS) {
      const more = timings[name];
      if (more !== null) addTo(timingOf(sum, name), more);
    }
  }
  return sum;
}

// ── notation ───────────────────────────────────────────────────────────────────────────────────

/** JSON without zeros: a quiet minute takes few bytes. */
export function printFigures({ counts, gauges, timings }: Figures): string {
  const numbers = { ...counts, ...gauges };
  const shown: Record<string, number | readonly number[]> = {};
  for (const [name, n] of Object.entries(numbers)) if (n > 0) shown[name] = n;
  for (const name of TIMINGS) {
    const histogram = timings[name];
    if (histogram !== null && countOf(histogram) > 0) shown[name] = printHistogram(histogram);
  }
  return JSON.stringify(shown);
}

/** Names that this version does not know are ignored: nodes of two versions may write. */
export function parseFigures(text: string): Figures {
  const figures = makeFigures();
  const read = JSON.parse(text) as Readonly<Record<string, unknown>>;
  for (const name of COUNTS) figures.counts[name] = numberOf(read[name]);
  for (const name of GAUGES) figures.gauges[name] = numberOf(read[name]);
  for (const name of TIMINGS) {
    if (read[name] !== undefined) figures.timings[name] = parseHistogram(read[name]);
  }
  return figures;
}

function numberOf(value: unknown): number {
  return typeof value === 'number' && value > 0 ? value : 0;
}
