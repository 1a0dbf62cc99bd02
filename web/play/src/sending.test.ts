/** Tests of the pending command: the board is locked until the move is shown, in whichever order ack and update arrive. */

import { expect, test } from 'bun:test';
import type { CommandMessage, SessionStatus } from './protocol.ts';
import { sendingOf } from './sending.ts';

const move: CommandMessage = { t: 'act', s: 's', id: '1', action: { position: 4 } };
const offer: CommandMessage = { t: 'draw', s: 's', id: '2', do: 'offer' };
const shown = (v: number, status: SessionStatus = 'active') => ({ v, status });

test('[WEB][P4] a move is pending until it is acknowledged and shown', () => {
  expect(sendingOf([], null, shown(3))).toBeNull();
  expect(sendingOf([move], null, shown(3))).toBe(move);
  // The ack has arrived, the update has not.
  expect(sendingOf([], { command: move, v: 4 }, shown(3))).toBe(move);
  expect(sendingOf([], { command: move, v: 4 }, shown(4))).toBeNull();
});

test('[WEB][P4] with an update that arrives first a move is pending until the ack, and no longer', () => {
  expect(sendingOf([move], null, shown(4))).toBe(move);
  expect(sendingOf([], { command: move, v: 4 }, shown(4))).toBeNull();
  expect(sendingOf([], { command: move, v: 4 }, shown(5))).toBeNull();
});

test('[WEB][P4] an unanswered command counts before an acknowledged one', () => {
  expect(sendingOf([offer], { command: move, v: 4 }, shown(3))).toBe(offer);
});

test('[WEB][P4] nothing is pending once the match is over', () => {
  expect(sendingOf([move], null, shown(4, 'ended'))).toBeNull();
  expect(sendingOf([], { command: move, v: 5 }, shown(4, 'ended'))).toBeNull();
});
