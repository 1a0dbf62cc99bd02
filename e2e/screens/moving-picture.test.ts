/** Tests of the animated PNG: a reader finds the same frames in the same order. */

import { expect, test } from 'bun:test';
import { crc32, deflateSync, inflateSync } from 'node:zlib';
import { makeMovingPicture } from './moving-picture.ts';

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const bytes = Buffer.alloc(named.length + 8);
  bytes.writeUInt32BE(data.length);
  named.copy(bytes, 4);
  bytes.writeUInt32BE(crc32(named), named.length + 4);
  return bytes;
}

/** One grey pixel, or several next to each other. */
function greyPng(value: number, width = 1): Buffer {
  const header = Buffer.from([0, 0, 0, width, 0, 0, 0, 1, 8, 0, 0, 0, 0]);
  const pixels = deflateSync(Buffer.from([0, ...Array<number>(width).fill(value)]));
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function readChunks(bytes: Buffer): { type: string; data: Buffer }[] {
  const chunks: { type: string; data: Buffer }[] = [];
  for (let at = 8; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const named = bytes.subarray(at + 4, at + 8 + length);
    expect(bytes.readUInt32BE(at + 8 + length)).toBe(crc32(named));
    chunks.push({ type: named.toString('latin1', 0, 4), data: named.subarray(4) });
    at += length + 12;
  }
  return chunks;
}

test('[SETUP] an animated PNG holds each frame unchanged, its duration, and consecutive sequence numbers', () => {
  const shown = [10, 20, 30].map((value) => ({ png: greyPng(value), ms: value * 10 }));
  const chunks = readChunks(makeMovingPicture(shown));
  expect(chunks.map(({ type }) => type)).toEqual([
    'IHDR',
    'acTL',
    'fcTL',
    'IDAT',
    'fcTL',
    'fdAT',
    'fcTL',
    'fdAT',
    'IEND',
  ]);
  const controls = chunks.filter(({ type }) => type === 'fcTL').map(({ data }) => data);
  expect(controls.map((data) => data.readUInt16BE(20))).toEqual([100, 200, 300]);
  const numbered = chunks.filter(({ type }) => type === 'fcTL' || type === 'fdAT');
  expect(numbered.map(({ data }) => data.readUInt32BE(0))).toEqual([0, 1, 2, 3, 4]);
  const pixels = chunks.flatMap(({ type, data }) => {
    if (type === 'IDAT') return [inflateSync(data)[1]];
    return type === 'fdAT' ? [inflateSync(data.subarray(4))[1]] : [];
  });
  expect(pixels).toEqual([10, 20, 30]);
});

test('[SETUP] frames of different sizes are rejected', () => {
  const pictures = [greyPng(1), greyPng(1, 2)].map((png) => ({ png, ms: 100 }));
  expect(() => makeMovingPicture(pictures)).toThrow('several sizes');
});
