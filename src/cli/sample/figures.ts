/**
 * The metrics of the sample month, counted from its content, as rows of the steps that the service
 * stores.
 */

import type { RequestRow } from '../../store/journal.ts';
import type { NodeMinute } from '../../store/tenant-metrics.ts';
import type { Attempt } from '../../store/webhooks.ts';
import type { KeyMode } from '../../tenancy/tenant.ts';
import {
  type CountName,
  type Figures,
  type GaugeName,
  makeFigures,
  printFigures,
  type TimingName,
  timingOf,
} from '../../tenant-metrics/figures.ts';
import { bucketOf } from '../../tenant-metrics/histogram.ts';
import { dueBefore, floorTo, LEVELS } from '../../tenant-metrics/spans.ts';
import type { Chance } from './chance.ts';
import type { WrittenMatch } from './write-match.ts';

export interface Happened {
  readonly tenant: string;
  readonly node: string;
  readonly now: number;
  readonly matches: readonly WrittenMatch[];
  readonly requests: readonly RequestRow[];
  readonly attempts: readonly Attempt[];
}

const MINUTE_MS = 60_000;

/** One row for each step in which something happened. */
export function countFigures(happened: Happened, chance: Chance): readonly NodeMinute[] {
  const { tenant, node, now } = happened;
  const rows = new Map<string, { mode: KeyMode; at: number; figures: Figures }>();
  const figuresAt = (mode: KeyMode, time: number): Figures => {
    const at = stepOf(time, now);
    const known = rows.get(`${mode} ${at}`);
    if (known !== undefined) return known.figures;
    const figures = makeFigures();
    rows.set(`${mode} ${at}`, { mode, at, figures });
    return figures;
  };
  const count = (mode: KeyMode, at: number, name: CountName): void => {
    figuresAt(mode, at).counts[name] += 1;
  };
  const observe = (mode: KeyMode, at: number, name: TimingName, ms: number): void => {
    timingOf(figuresAt(mode, at), name)[bucketOf(ms)]! += 1;
  };
  for (const { mode, at, startedAt, endedAt, moves, matchType, waitMs } of happened.matches) {
    count(mode, at, 'sessionsCreated');
    if (startedAt !== null) count(mode, startedAt, 'sessionsStarted');
    if (endedAt !== null) count(mode, endedAt, 'sessionsEnded');
    if (startedAt !== null && matchType === 'matchmaking')
      observe(mode, startedAt, 'queueWaits', waitMs);
    for (const move of moves) observe(mode, move, 'moves', chance.duration(2.2));
  }
  for (const { mode, at, status, tookMs } of happened.requests) {
    count(mode, at, countOf(status));
    observe(mode, at, 'requests', tookMs);
  }
  for (const { at, error, durationMs } of happened.attempts) {
    count('live', at, error === null ? 'delivered' : 'undelivered');
    observe('live', at, 'deliveries', durationMs);
  }
  gauge(happened, figuresAt);
  return Array.from(rows.values(), ({ mode, at, figures }) => ({
    tenant,
    mode,
    node,
    at,
    figures: printFigures(figures),
  }));
}

/** The most matches and players of any minute of each step. */
function gauge(
  { matches, now }: Happened,
  figuresAt: (mode: KeyMode, at: number) => Figures,
): void {
  const minutes = new Map<string, Record<GaugeName, number>>();
  for (const { mode, startedAt, endedAt, people } of matches) {
    if (startedAt === null) continue;
    const last = Math.min(endedAt ?? now, now - 1);
    for (let at = floorTo(startedAt, MINUTE_MS); at <= last; at += MINUTE_MS) {
      const known = minutes.get(`${mode} ${at}`) ?? { playersConnected: 0, matchesInPlay: 0 };
      known.matchesInPlay += 1;
      known.playersConnected += people.length;
      minutes.set(`${mode} ${at}`, known);
    }
  }
  for (const [name, found] of minutes) {
    const [mode, at] = name.split(' ') as [KeyMode, string];
    const { gauges } = figuresAt(mode, Number(at));
    gauges.matchesInPlay = Math.max(gauges.matchesInPlay, found.matchesInPlay);
    gauges.playersConnected = Math.max(gauges.playersConnected, found.playersConnected);
  }
}

function countOf(status: number): CountName {
  if (status >= 500) return 'failed';
  if (status === 429) return 'limited';
  return status >= 400 ? 'refused' : 'succeeded';
}

/** The beginning of the step in which the service keeps a time by now: minutes, then longer ones. */
function stepOf(time: number, now: number): number {
  const level = LEVELS.findLast((each) => {
    const before = LEVELS[LEVELS.indexOf(each) - 1];
    return before === undefined || time < dueBefore(before, now);
  })!;
  return floorTo(time, level.stepMs);
}
