/** How late ticks are: from the time at which a tick was due to the frame that shows it. */

import { tickTime } from '../../src/games/tick-game.ts';

/** Milliseconds since 1970, with fractions. */
export function preciseNow(): number {
  return performance.timeOrigin + performance.now();
}

interface Frame {
  readonly t: string;
  readonly from?: number;
  readonly inputs?: readonly (readonly number[])[];
  readonly ticks?: { readonly next: number; readonly at: string | null };
}

export interface TickWatch {
  /** Of the last tick of every frame, in ms; those of frames that waited for nobody's change too. */
  readonly late: number[];
  /** When tick 0 was due, by session. */
  readonly zeroAt: Map<string, number>;
  onFrame(session: string, frame: Frame): void;
}

const RULES = { ticksPerSecond: 60 };

export function watchTicks(): TickWatch {
  const late: number[] = [];
  const zeroAt = new Map<string, number>();
  return {
    late,
    zeroAt,
    onFrame(session, { t, from = 0, inputs = [], ticks }) {
      if (t === 'state' && ticks != null && ticks.at !== null) {
        zeroAt.set(session, Date.parse(ticks.at) - tickTime(RULES, 0, ticks.next));
      }
      const zero = zeroAt.get(session);
      if (t !== 'ticks' || zero === undefined) return;
      const last = from + inputs.reduce((sum, run) => sum + run.at(-1)!, 0) - 1;
      late.push(preciseNow() - tickTime(RULES, zero, last));
    },
  };
}

/** Percentiles, in ms with two digits. */
export function lateness(late: readonly number[]): Readonly<Record<string, number>> {
  const sorted = [...late].sort((a, b) => a - b);
  const at = (part: number): number =>
    Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0) * 100) /
    100;
  return { p50: at(0.5), p90: at(0.9), p99: at(0.99), p999: at(0.999), frames: sorted.length };
}
