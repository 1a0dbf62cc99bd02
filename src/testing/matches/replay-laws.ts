/** The laws of every session's replays: they verify, are complete and without the secret. */

import { expect } from 'bun:test';
import { shippedGames } from '../../games/registry.ts';
import { foldSession } from '../../match/evolve.ts';
import { makeReplay, verifyReplay } from '../../match/replay/replay.ts';
import type { Replay } from '../../match/replay/replay-form.ts';
import { checkReplay } from '../../runtime/signing/replay-signature.ts';
import { testSeals, testSigner } from '../test-seals.ts';
import { thaw } from './session-laws.ts';
import type { Trace } from './session-trace.ts';
import { makeTestRoster, TEST_SECRET } from './session-trace.ts';

/** The replay of a trace's first `count` records, as exported. */
export function replayOf({ entries }: Trace, count = entries.length): Replay {
  const known = entries.slice(0, count);
  const session = foldSession(shippedGames.findPlayed, 'ses_test', known);
  const players = makeTestRoster(session.seats.length);
  const roster = players.map((player, seat) => (session.seats[seat]!.taken ? player : null));
  return thaw(makeReplay(session, roster, known));
}

/** After every record of the trace the replay is verified, with the seed, and without it at the end. */
export function checkReplays(trace: Trace): void {
  for (let count = 1; count <= trace.entries.length; count += 1) {
    // Between a move that ends the game and the record of the end nobody sees the session.
    if (!isCommitted(trace, count)) continue;
    const replay = replayOf(trace, count);
    const check = verifyReplay(shippedGames, replay, TEST_SECRET);
    expect(check).toEqual({
      ok: true,
      records: replay.inputs.length + replay.controls.length + (replay.ticks?.length ?? 0),
      hash: replay.hash,
    });
    const isOver = trace.entries[count - 1]!.record.k === 'ended';
    expect(JSON.stringify(replay).includes(TEST_SECRET)).toBe(isOver);
    expect(replay.result === null).toBe(!isOver);
    if (isOver) {
      expect(verifyReplay(shippedGames, replay).ok).toBe(true);
      const signed = JSON.stringify(testSeals.signReplay(replay));
      expect(checkReplay(testSigner.publicKeys, JSON.parse(signed)).state).toBe('valid');
    }
    expect(replay.inputs).toEqual(actionsOf(trace, count));
  }
}

/** Whether a commit ended here. A commit's records are written all at once. */
function isCommitted({ commands }: Trace, count: number): boolean {
  const ends = commands.map(({ after }) => after.v + 1);
  return count === 1 || ends.includes(count);
}

function actionsOf({ entries }: Trace, count: number): Replay['inputs'] {
  return entries.slice(0, count).flatMap(({ v, at, record }) => {
    if (record.k !== 'action') return [];
    return [{ v, at: new Date(at).toISOString(), seat: record.seat, action: thaw(record.action) }];
  });
}
