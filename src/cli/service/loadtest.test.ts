/**
 * How `matchd loadtest` continues: on the ack of a move or the state that shows it, whichever comes
 * first.
 */

import { expect, test } from 'bun:test';
import type { Client, ConnectionEvent, MatchSession } from '../../../sdk/src/client/index.ts';
import { follow } from './loadtest.ts';

interface Shown {
  readonly v: number;
  readonly turn: number;
}

/** A client in seat 0 whose socket is the test. */
function makeFake() {
  let view: object | null = null;
  let sending: readonly string[] = [];
  let acts = 0;
  let listener: (event: ConnectionEvent) => void = () => {};
  const session = {
    get view() {
      return view;
    },
    get sending() {
      return sending;
    },
    act() {
      acts += 1;
      sending = [`command ${acts}`];
      return Promise.resolve({ v: 0 });
    },
  };
  const client = {
    session: () => session as unknown as MatchSession<'tictactoe'>,
    on(listen: (event: ConnectionEvent) => void) {
      listener = listen;
      return () => {};
    },
  } as unknown as Pick<Client, 'session' | 'on'>;
  return {
    client,
    acts: () => acts,
    show({ v, turn }: Shown) {
      view = { v, turn, seat: 0, status: 'active', legal: [{ position: v }] };
      listener({ kind: 'session' } as ConnectionEvent);
    },
    ack(v: number) {
      sending = [];
      listener({ kind: 'acked', v } as ConnectionEvent);
    },
  };
}

function start() {
  const fake = makeFake();
  follow(fake.client, 'ses_1', { latencies: [] }, Promise.withResolvers<void>());
  return fake;
}

test('[CLI][P4] loadtest plays on when a new connection shows the move and its answer before the ack', () => {
  const fake = start();
  fake.show({ v: 1, turn: 0 });
  expect(fake.acts()).toBe(1);
  // The node was drained: the state on the next connection has both, and the ack of the resent move
  // comes last.
  fake.show({ v: 3, turn: 0 });
  expect(fake.acts()).toBe(1);
  fake.ack(2);
  expect(fake.acts()).toBe(2);
});

test('[CLI][P4] loadtest does not act on a position that an ack has outdated', () => {
  const fake = start();
  fake.show({ v: 1, turn: 0 });
  fake.ack(2);
  expect(fake.acts()).toBe(1);
  fake.show({ v: 2, turn: 1 });
  fake.show({ v: 3, turn: 0 });
  expect(fake.acts()).toBe(2);
});
