/** Which answer ends the wait of which command. */

import { expect, test } from 'bun:test';
import { answerText } from '../runtime/host/player-work.ts';
import { makeTimings } from '../runtime/timings.ts';
import { dropReceipts, follow, makeReceiptOf, noteAnswers, type Receipt } from './receipts.ts';

function open() {
  const timings = makeTimings([], [1, 2]);
  const receiptOf = makeReceiptOf(timings.of());
  const receipts: Receipt[] = [];
  return {
    receipts,
    send: (s: string, id: string) => follow(receipts, receiptOf(s, { kind: 'resign', id })),
    acks: () => timings.read()[0]!.counts.reduce((sum, n) => sum + n, 0),
    waiting: () => receipts.map(({ names }) => names),
  };
}

const UNAVAILABLE = { kind: 'rejected', code: 'unavailable', error: 'x' } as const;

test('[METRICS] an ack is counted for its own command, in whichever order and write it comes', () => {
  const { receipts, send, acks, waiting } = open();
  send('ses_a', 'm1');
  send('ses_b', 'm1');
  send('ses_a', 'm"2');
  noteAnswers(receipts, ['{"t":"state","s":"ses_a"}']);
  expect(acks()).toBe(0);
  noteAnswers(receipts, [
    answerText('ses_a', 'm"2', { kind: 'done', v: 3 }),
    '{"t":"update","s":"ses_a"}',
    answerText('ses_b', 'm1', { kind: 'done', v: 1 }),
  ]);
  expect(acks()).toBe(2);
  expect(waiting()).toEqual(['"s":"ses_a","id":"m1",']);
  // Refused: no ack, and it waits no more. An answer nobody waits for ends nothing.
  noteAnswers(receipts, [answerText('ses_a', 'm1', UNAVAILABLE)]);
  noteAnswers(receipts, [answerText('ses_a', 'm1', { kind: 'done', v: 4 })]);
  expect([acks(), waiting()]).toEqual([2, []]);
});

test('[METRICS] a socket remembers 64 commands at most, and none once it is gone', () => {
  const { receipts, send, acks } = open();
  for (let n = 0; n < 100; n++) send('ses_a', `m${n}`);
  expect(receipts).toHaveLength(64);
  noteAnswers(receipts, [answerText('ses_a', 'm35', { kind: 'done', v: 1 })]);
  noteAnswers(receipts, [answerText('ses_a', 'm36', { kind: 'done', v: 2 })]);
  expect(acks()).toBe(1);
  dropReceipts(receipts);
  expect(receipts).toEqual([]);
});
