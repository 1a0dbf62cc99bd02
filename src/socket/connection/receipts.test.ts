/** Which answer ends the wait of which command. */

import { expect, test } from 'bun:test';
import { makeTimings } from '../../runtime/measures/timings.ts';
import { dropReceipts, follow, makeReceiptOf, noteAnswer, type Receipt } from './receipts.ts';

function open() {
  const timings = makeTimings([], [1, 2]);
  const receiptOf = makeReceiptOf(timings.of());
  const receipts: Receipt[] = [];
  return {
    receipts,
    send: (s: string, id: string) =>
      follow(receipts, receiptOf(s, { kind: 'resign', id }, { tenant: 'ten_a', mode: 'live' })),
    acks: () => timings.read()[0]!.counts.reduce((sum, n) => sum + n, 0),
    waiting: () => receipts.map(({ session, id }) => `${session} ${id}`),
  };
}

const UNAVAILABLE = { kind: 'rejected', code: 'unavailable', error: 'x' } as const;

test('[METRICS] an ack is counted for its own command, in whichever order and write it comes', () => {
  const { receipts, send, acks, waiting } = open();
  send('ses_a', 'm1');
  send('ses_b', 'm1');
  send('ses_a', 'm"2');
  noteAnswer(receipts, { s: 'ses_a', id: null, told: UNAVAILABLE });
  expect(acks()).toBe(0);
  noteAnswer(receipts, { s: 'ses_a', id: 'm"2', told: { kind: 'done', v: 3 } });
  noteAnswer(receipts, { s: 'ses_b', id: 'm1', told: { kind: 'done', v: 1 } });
  expect(acks()).toBe(2);
  expect(waiting()).toEqual(['ses_a m1']);
  // Refused: no ack, and it waits no longer. An unknown answer ends nothing.
  noteAnswer(receipts, { s: 'ses_a', id: 'm1', told: UNAVAILABLE });
  noteAnswer(receipts, { s: 'ses_a', id: 'm1', told: { kind: 'done', v: 4 } });
  expect([acks(), waiting()]).toEqual([2, []]);
});

test('[METRICS] a socket remembers 64 commands at most, and none once it is closed', () => {
  const { receipts, send, acks } = open();
  for (let n = 0; n < 100; n++) send('ses_a', `m${n}`);
  expect(receipts).toHaveLength(64);
  noteAnswer(receipts, { s: 'ses_a', id: 'm35', told: { kind: 'done', v: 1 } });
  noteAnswer(receipts, { s: 'ses_a', id: 'm36', told: { kind: 'done', v: 2 } });
  expect(acks()).toBe(1);
  dropReceipts(receipts);
  expect(receipts).toEqual([]);
});
