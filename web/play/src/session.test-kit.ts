/** Sessions for tests of the page: one without any move, and changed copies of it. */

import type { PlayerFrame, SessionView } from './protocol.ts';

export const testPlayer = (seat: number, name: string, connected = true): PlayerFrame => ({
  id: name.toLowerCase(),
  displayName: name,
  seat,
  isBot: false,
  connected,
});

/** An active match of Ada and Bea, on Ada's page and in her turn. */
export const BLANK_SESSION: SessionView = {
  s: 's1',
  v: 2,
  game: 'tictactoe',
  variant: 'standard',
  status: 'active',
  seat: 0,
  seats: 2,
  players: [testPlayer(0, 'Ada'), testPlayer(1, 'Bea')],
  roomCode: null,
  turn: 0,
  acting: [0],
  view: null,
  legal: null,
  clock: null,
  turnAt: 0,
  deadline: null,
  endsAt: null,
  warned: null,
  drawOfferedBy: null,
  commitment: null,
  graces: [null, null],
  lastMove: null,
  result: null,
};

/** `base` with some parts changed. By default the player to move acts. */
export function sessionWith(base: SessionView, part: Partial<SessionView>): SessionView {
  const session = { ...base, ...part };
  const acting = session.turn === null ? [] : [session.turn];
  return { ...session, acting: part.acting ?? acting };
}
