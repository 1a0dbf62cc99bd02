/** One end of a link, and frames in an order that no other end would send. */

import { expect, test } from 'bun:test';
import { makeLink } from './link.ts';

test('[LINK] a frame of an earlier life is refused, though it names the current life of this end', () => {
  const delivered: unknown[] = [];
  let epoch = 0;
  const link = makeLink(
    {
      nextEpoch() {
        epoch += 1;
        return epoch;
      },
      emit() {},
      deliver: (message) => void delivered.push(message),
      lost() {},
    },
    0,
  );
  link.send('"hello"', 0);
  link.flush(0);
  // The other end was told of this life twice, in two of its own; the frame of the first took
  // longer.
  const named = { peer: epoch, ack: 0, asks: false };
  link.take({ ...named, epoch: 20, first: 1, messages: ['new'] }, 10);
  link.take({ ...named, epoch: 10, first: 2, messages: ['old'] }, 20);
  expect(delivered).toEqual(['new']);
});
