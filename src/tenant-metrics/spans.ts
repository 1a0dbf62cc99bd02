/** Time windows, the steps they are divided into, and how long rows of each step are stored. */

import { type Figures, makeFigures, mergeNodes, mergeTimes, parseFigures } from './figures.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const STEP_NAMES = ['1m', '10m', '1h', '1d'] as const;
export type StepName = (typeof STEP_NAMES)[number];
const WINDOW_NAMES = ['1h', '24h', '7d', '30d'] as const;
export type WindowName = (typeof WINDOW_NAMES)[number];

export const STEP_MS: Readonly<Record<StepName, number>> = {
  '1m': MINUTE_MS,
  '10m': 10 * MINUTE_MS,
  '1h': HOUR_MS,
  '1d': DAY_MS,
};

/** The length of the window, and its steps; the first is the default. */
export const WINDOWS: Readonly<
  Record<WindowName, { readonly ms: number; readonly steps: readonly [StepName, ...StepName[]] }>
> = {
  '1h': { ms: HOUR_MS, steps: ['1m', '10m'] },
  '24h': { ms: DAY_MS, steps: ['10m', '1h'] },
  '7d': { ms: 7 * DAY_MS, steps: ['1h', '1d'] },
  '30d': { ms: 30 * DAY_MS, steps: ['1d'] },
};

/**
 * Rows of a step and how long they are stored; then they are added to the row of the next larger
 * step.
 */
export interface Level {
  readonly stepMs: number;
  readonly keptMs: number;
  /** Null: older rows are removed. */
  readonly intoMs: number | null;
}

/** Each keeps more than the longest window that is divided into its steps. */
export const LEVELS: readonly Level[] = [
  { stepMs: STEP_MS['1m'], keptMs: 3 * HOUR_MS, intoMs: STEP_MS['10m'] },
  { stepMs: STEP_MS['10m'], keptMs: 26 * HOUR_MS, intoMs: STEP_MS['1h'] },
  { stepMs: STEP_MS['1h'], keptMs: 8 * DAY_MS, intoMs: STEP_MS['1d'] },
  { stepMs: STEP_MS['1d'], keptMs: 400 * DAY_MS, intoMs: null },
];

export function floorTo(at: number, stepMs: number): number {
  return Math.floor(at / stepMs) * stepMs;
}

/** Rows that begin before it are to go: only whole rows of the next step. */
export function dueBefore({ keptMs, intoMs, stepMs }: Level, now: number): number {
  return floorTo(now - keptMs, intoMs ?? stepMs);
}

/** A span of whole steps. Times in ms since 1970. */
export interface Span {
  readonly from: number;
  /** Where the last whole minute ends: the minute under way is not written yet. */
  readonly to: number;
  readonly stepMs: number;
}

export function spanOf(window: WindowName, step: StepName, now: number): Span {
  const stepMs = STEP_MS[step];
  const to = floorTo(now, MINUTE_MS);
  const last = floorTo(to - 1, stepMs);
  return { from: last + stepMs - WINDOWS[window].ms, to, stepMs };
}

/** Stored figures: of a minute of one node, or of a longer step of all nodes. */
export interface StoredFigures {
  readonly stepMs: number;
  /** When the step begins, ms since 1970. */
  readonly at: number;
  readonly figures: string;
}

/** The counts of each stored step, over all nodes, oldest first. */
export function figuresByStep(
  rows: readonly StoredFigures[],
): readonly { readonly at: number; readonly figures: Figures }[] {
  // Of one time there may be rows of two steps: of the longer one, and of the shorter what came late.
  const byStep = Map.groupBy(rows, ({ stepMs, at }) => `${at} ${stepMs}`);
  return Array.from(byStep.values(), (group) => ({
    at: group[0]!.at,
    figures: mergeNodes(group.map(({ figures }) => parseFigures(figures))),
  })).sort((a, b) => a.at - b.at);
}

/** One value for each step of the span, also where nothing was counted. */
export function divide(
  rows: readonly StoredFigures[],
  { from, to, stepMs }: Span,
): readonly { readonly at: number; readonly figures: Figures }[] {
  const parts = Map.groupBy(figuresByStep(rows), ({ at }) => floorTo(at, stepMs));
  const steps: { at: number; figures: Figures }[] = [];
  for (let at = from; at < to; at += stepMs) {
    const found = parts.get(at);
    const figures =
      found === undefined ? makeFigures() : mergeTimes(found.map((each) => each.figures));
    steps.push({ at, figures });
  }
  return steps;
}

/** All of a span in one. */
export function total(rows: readonly StoredFigures[], { from, to }: Span): Figures {
  const within = figuresByStep(rows).filter(({ at }) => at >= from && at < to);
  return mergeTimes(within.map(({ figures }) => figures));
}
