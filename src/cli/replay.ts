/** `matchd replay verify`: redoes a match from its replay, without a server and without a secret. */

import { readFileSync, statSync } from 'node:fs';
import { findGame } from '../games/registry.ts';
import { verifyReplay } from '../match/replay.ts';
import type { Replay } from '../match/replay-form.ts';
import { parseReplay, REPLAY_BYTES_MAX } from '../match/replay-form.ts';
import type { ReplayCheck } from '../match/verify.ts';
import { refuseRules } from '../match/verify.ts';
import { type Answer, EXIT_CODES, failed } from './answer.ts';

export function verifyReplayFile(file: string): Answer {
  const source = readSource(file);
  if (typeof source !== 'string') return failed(`${file} cannot be read: ${source.message}`);
  const replay = parseReplay(source);
  if (typeof replay === 'string') return failed(`${file} is no replay: ${replay}`);
  const check = redo(replay);
  return {
    json: check,
    text: `${file}: ${describe(replay, check)}`,
    exit: check.ok ? EXIT_CODES.done : EXIT_CODES.failed,
  };
}

function readSource(file: string): string | { readonly message: string } {
  try {
    const { size } = statSync(file);
    if (size > REPLAY_BYTES_MAX) return { message: `it has more than ${REPLAY_BYTES_MAX} bytes` };
    return readFileSync(file, 'utf8');
  } catch (error) {
    return { message: (error as Error).message };
  }
}

/** An engine that throws on a record has been given one that no match of ours holds. */
function redo(replay: Replay): ReplayCheck {
  try {
    return verifyReplay(replay);
  } catch (error) {
    return { ok: false, v: null, error: `The engine failed: ${(error as Error).message}` };
  }
}

function describe({ game, rulesVersion, variant }: Replay, check: ReplayCheck): string {
  if (!check.ok) {
    if (check.v !== null) return `wrong at record ${check.v}: ${check.error}`;
    const engine = findGame(game);
    const isPlayedByOthers = engine !== null && refuseRules(engine, rulesVersion) !== null;
    return isPlayedByOthers ? check.error : `wrong: ${check.error}`;
  }
  const state = check.hash === null ? 'no final state' : `state ${check.hash}`;
  return `right, ${game} (${variant}), ${check.records} records, ${state}`;
}
