/** The checks of a match as the panel shows them: made by the code of `matchd replay verify`. */

import type { AnyGame } from '../../../../game/src/game.ts';
import type { Replay } from '../../../../src/match/replay/replay-form.ts';
import type { ReplayCheckName, Verification } from '../../../../src/match/replay/verify.ts';
import { REPLAY_CHECKS, verifyStepwise } from '../../../../src/match/replay/verify.ts';

/** One line of the list. `promise` is the page's own: the commitment it received during the match. */
export interface Finding {
  readonly name: ReplayCheckName | 'promise';
  readonly state: 'passed' | 'failed' | 'open';
}

export interface MatchCheck {
  readonly isGood: boolean;
  readonly findings: readonly Finding[];
  /** The version of the first wrong record, where it is known. */
  readonly v: number | null;
  /** The fault, for developers; null when there is none. */
  readonly error: string | null;
  /** Steps of the match, and values drawn from its seed. */
  readonly steps: number;
  readonly drawn: number;
}

/** The page may block for this long. Milliseconds. */
const SLICE_MS = 12;

/** `rest` lets the page do other work; `onProgress` is called with the number of verified steps. */
export async function checkMatch(
  engine: AnyGame,
  replay: Replay,
  commitment: string | null,
  {
    now,
    rest,
    onProgress,
  }: { now(): number; rest(): Promise<void>; onProgress(steps: number): void },
): Promise<MatchCheck> {
  let steps = 0;
  const run = async (): Promise<Verification> => {
    const course = verifyStepwise(engine, replay);
    let begun = now();
    for (;;) {
      const { done, value } = course.next();
      if (done === true) return value;
      steps = value;
      if (now() - begun < SLICE_MS) continue;
      onProgress(steps);
      await rest();
      begun = now();
    }
  };
  try {
    return judge(replay, commitment, await run(), steps);
  } catch (error) {
    // No valid match contains a record on which an engine throws.
    const check = { ok: false, v: null, error: (error as Error).message } as const;
    return judge(replay, commitment, { check, failed: 'steps', drawn: 0 }, steps);
  }
}

function judge(
  replay: Replay,
  commitment: string | null,
  { check, failed, drawn }: Verification,
  steps: number,
): MatchCheck {
  const isMatching = commitment === null || commitment === replay.fairness.commitment;
  const names = REPLAY_CHECKS.filter((name) => name !== 'seats' || replay.drawnSeats !== null);
  const failedAt = failed === null ? names.length : names.indexOf(failed);
  const findings = names.map((name, index): Finding => {
    const state = index < failedAt ? 'passed' : index === failedAt ? 'failed' : 'open';
    return { name, state };
  });
  const finding: Finding = { name: 'promise', state: isMatching ? 'passed' : 'failed' };
  return {
    isGood: check.ok && isMatching,
    findings: commitment === null ? findings : [finding, ...findings],
    // A different end does not show which record is wrong.
    v: check.ok || failed === 'state' ? null : check.v,
    error: check.ok ? (isMatching ? null : `Promised was ${commitment}`) : check.error,
    steps,
    drawn,
  };
}
