/** Sessions for tests of the page: one in which nothing has happened yet, and what tests change of it. */

import type { PlayerFrame, SessionView } from './protocol.ts';

export const testPlayer = (seat: number, name: string, connected = true): PlayerFrame => ({
  id: name.toLowerCase(),
  displayName: name,
  seat,
  isBot: false,
  connected,
});

/** An active match of Ada, whose page and whose turn it is, and Bea. */
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

/** `base` with a part of it changed. By default the player to move acts. */
export function sessionWith(base: SessionView, part: Partial<SessionView>): SessionView {
  const session = { ...base, ...part };
  const acting = session.turn === null ? [] : [session.turn];
  return { ...session, acting: part.acting ?? acting };
}
