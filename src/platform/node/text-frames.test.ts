/** Frames by RFC 6455, all of one call in one buffer. */

import { expect, test } from 'bun:test';
import { makeTextFrames } from './text-frames.ts';

test('[PLAT] a frame has the shortest length field that holds its size', () => {
  expect(makeTextFrames(['Hello']).toString('hex')).toBe('810548656c6c6f');
  expect([...makeTextFrames(['x'.repeat(125)]).subarray(0, 2)]).toEqual([0x81, 125]);
  expect([...makeTextFrames(['x'.repeat(126)]).subarray(0, 4)]).toEqual([0x81, 126, 0, 126]);
  expect([...makeTextFrames(['x'.repeat(65_535)]).subarray(0, 4)]).toEqual([0x81, 126, 255, 255]);
  const head = [0x81, 127, 0, 0, 0, 0, 0, 1, 0, 0];
  expect([...makeTextFrames(['x'.repeat(65_536)]).subarray(0, 10)]).toEqual(head);
});

test('[PLAT] lengths count bytes, not characters, and lone surrogates become U+FFFD', () => {
  expect(makeTextFrames(['é🎲']).toString('hex')).toBe('8106c3a9f09f8eb2');
  expect(makeTextFrames(['\ud800']).toString('hex')).toBe('8103efbfbd');
});

test('[PLAT] several texts are one buffer, so one write', () => {
  const texts = ['a', '', 'x'.repeat(300), 'grüße'];
  const one = Buffer.concat(texts.map((text) => makeTextFrames([text])));
  expect(makeTextFrames(texts).equals(one)).toBe(true);
  expect(makeTextFrames([]).length).toBe(0);
});
