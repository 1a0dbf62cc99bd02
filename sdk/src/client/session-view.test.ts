/** What a client makes of the server's own frames: a match played on both sides. */

import { describe, expect, test } from 'bun:test';
import { connect4 } from '../../../src/games/connect4/connect4.ts';
import { shippedGames } from '../../../src/games/registry.ts';
import type { Command } from '../../../src/match/decide.ts';
import { decide } from '../../../src/match/decide.ts';
import { openSession } from '../../../src/match/evolve.ts';
import { makeState, makeStepFrame, makeWarning, turnOf } from '../../../src/match/frames/frames.ts';
import type { SessionSetup } from '../../../src/match/record.ts';
import type { Roster, Session } from '../../../src/match/session.ts';
import { TEST_ROOM_CODE } from '../../../src/testing/matches/session-trace.ts';
import type { ChainFrame } from '../frames/frames.ts';
import { parseServerFrame } from '../frames/frames.ts';
import type { WarningFrame } from '../generated/frames.ts';
import type { AnySessionView } from './session-view.ts';
import { takeFrame, takeWarning } from './session-view.ts';

const START = Date.parse('2026-11-20T12:00:00.000Z');
const ROSTER: Roster = [
  { id: 'ada', displayName: 'Ada' },
  { id: 'bea', displayName: 'Bea' },
];
const SETUP: SessionSetup = {
  game: 'connect4',
  rulesVersion: connect4.rulesVersion,
  mode: 'test',
  matchType: 'matchmaking',
  variant: 'standard',
  seats: 2,
  options: {},
  turnTimeoutMs: 90_000,
  clock: { initialMs: 60_000, incrementMs: 1_000 },
  disconnectGraceMs: 60_000,
  afk: true,
  botDifficulty: 'medium',
  seed: '0'.repeat(64),
  expiresAt: START + 300_000,
};

function stateText(session: Session, prev: number): string {
  return makeState(session, { roomCode: TEST_ROOM_CODE, roster: ROSTER, viewer: 0, prev });
}

/** A match whose frames for seat 0 are folded as they arrive. */
function makeMatch() {
  const created = { k: 'created', setup: SETUP, taken: [0, 1], bots: [], node: 'n' } as const;
  let session: Session = openSession(shippedGames.findPlayed, 's1', {
    v: 0,
    at: START,
    record: created,
  });
  let shown = 0;
  let now = START;
  const parse = (text: string): ChainFrame => parseServerFrame(text) as ChainFrame;
  let view: AnySessionView | null = takeFrame(null, parse(stateText(session, 0))).view;
  return {
    run(command: Command): void {
      now += 1_000;
      for (const step of decide(session, command, now).steps) {
        session = step.after;
        const context = {
          roomCode: TEST_ROOM_CODE,
          roster: ROSTER,
          prev: shown,
          before: null,
          next: undefined,
        };
        const frame = makeStepFrame(step, context);
        if (frame === null) continue;
        shown = session.v;
        const taken = takeFrame(view, parse(frame.text(0, 1)));
        expect(taken.gap).toBe(false);
        view = taken.view;
      }
    },
    /** What a new connection would be sent. */
    fresh: () => takeFrame(null, parse(stateText(session, shown))).view!,
    warning: (deadline: number) =>
      parseServerFrame(makeWarning(session, turnOf(session)!, deadline)) as WarningFrame,
    view: () => view!,
  };
}

/** Fields that a new `state` cannot have, or only with the record's own time. */
function comparable(view: AnySessionView): unknown {
  const { lastMove: _, turnAt: __, ...rest } = view;
  return rest;
}

const act = (seat: number, column: number, id = `${seat}-${column}`): Command => ({
  kind: 'act',
  seat,
  id,
  action: { column },
});

describe('a session folded from frames', () => {
  test('[P3] equals a whole state at every step', () => {
    const match = makeMatch();
    const commands: Command[] = [
      { kind: 'connect', seat: 0 },
      { kind: 'connect', seat: 1 },
      act(0, 3),
      { kind: 'draw', seat: 0, id: 'd1', do: 'offer' },
      { kind: 'disconnect', seat: 1 },
      { kind: 'connect', seat: 1 },
      { kind: 'draw', seat: 1, id: 'd2', do: 'decline' },
      act(1, 3),
      { kind: 'draw', seat: 1, id: 'd3', do: 'offer' },
      act(0, 2),
      act(1, 2),
      { kind: 'resign', seat: 1, id: 'r' },
    ];
    for (const command of commands) {
      match.run(command);
      expect(comparable(match.view())).toEqual(comparable(match.fresh()));
    }
    expect(match.view()).toMatchObject({ status: 'ended', result: { reason: 'resignation' } });
  });

  test('[P3] keeps the last move over draw offers, absences and equal states', () => {
    const match = makeMatch();
    match.run({ kind: 'connect', seat: 0 });
    match.run({ kind: 'connect', seat: 1 });
    match.run(act(0, 3));
    const lastMove = { v: match.view().v, seat: 0, action: { column: 3 } };
    match.run({ kind: 'draw', seat: 1, id: 'd', do: 'offer' });
    match.run({ kind: 'disconnect', seat: 1 });
    expect(match.view().lastMove).toEqual(lastMove);
    expect(match.view().drawOfferedBy).toBe(1);
  });

  test('[P6] shows a warning until the turn moves on', () => {
    const match = makeMatch();
    match.run({ kind: 'connect', seat: 0 });
    match.run({ kind: 'connect', seat: 1 });
    const warned = takeWarning(match.view(), match.warning(START + 90_000));
    expect(warned).toMatchObject({ warned: 0, deadline: START + 90_000 });
    match.run(act(0, 3));
    expect(match.view().warned).toBeNull();
  });
});
