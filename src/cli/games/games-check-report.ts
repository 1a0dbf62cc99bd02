/** What `matchd games check` says of a game to people. */

import { GUARD_LIMITS } from '../../runtime/games/guard.ts';
import { paint } from '../terminal/paint.ts';
import type { Found, Step } from './games-check-steps.ts';

export interface GameReport extends Found {
  readonly game: string;
  /** Null where the game did not load. */
  readonly rulesVersion: number | null;
  readonly rulesHash: string | null;
  readonly seed: number;
}

/** A step that took so long says so. Ms. */
const LONG_MS = 500;

export function printReport(report: GameReport): string {
  const { game, rulesVersion, rulesHash, seed, steps, ok } = report;
  const head =
    rulesVersion === null ? game : `${game}, version ${rulesVersion}, ${rulesHash}, seed ${seed}`;
  const failed = steps.filter((step) => !step.ok).length;
  const verdict = ok
    ? paint('good', `${game} passes.`)
    : `${paint('bad', `${game} FAILS`)}: ${failed} of ${steps.length}. The same again: --seed ${seed}`;
  return [head, ...steps.map(printStep), ...figures(report), verdict].join('\n');
}

function printStep({ what, ok, note, ms }: Step): string {
  const took = ms > LONG_MS ? ` (${(ms / 1_000).toFixed(1)} s)` : '';
  const said = note === null ? '' : ok ? `: ${note}` : `\n        ${note}`;
  return `  ${ok ? paint('good', 'ok  ') : paint('bad', 'FAIL')}  ${what}${took}${said}`;
}

function figures({ played, measured }: GameReport): readonly string[] {
  const lines: string[] = [];
  if (played !== null && played.games > 0) {
    const { games, setups, inputs, longest, reasons } = played;
    const ends = Object.entries(reasons)
      .sort(([, a], [, b]) => b - a)
      .map(([reason, count]) => `${reason} ${count}`)
      .join(', ');
    const mean = (inputs / games).toFixed(1);
    lines.push(`  ${setups} setups; ${mean} inputs a game, ${longest} at most; ends: ${ends}`);
  }
  if (measured !== null) {
    const { stateBytesMax, viewBytesMax, legalMax, inputMs } = measured;
    const ms = (value: number): string => value.toFixed(3);
    lines.push(
      `  largest state ${stateBytesMax} bytes (limit ${GUARD_LIMITS.stateCharsMax}), largest view ${viewBytesMax}; ${legalMax} legal actions at most`,
      `  an input and what is shown of it: p50 ${ms(inputMs.p50)} ms, p99 ${ms(inputMs.p99)}, at most ${ms(inputMs.max)} (limit ${GUARD_LIMITS.callMs})`,
    );
  }
  return lines;
}
