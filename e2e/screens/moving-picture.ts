/** An animated PNG made of PNGs of one size: their compressed pixels are copied unchanged. */

import { crc32 } from 'node:zlib';

export interface Picture {
  readonly png: Uint8Array;
  /** How long the frame is shown, ms. */
  readonly ms: number;
}

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
}

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
/** A chunk: length, type, data and checksum. */
const CHUNK_BYTES = 12;

/** Repeats without end. Throws if the frames differ in size or pixel format. */
export function makeMovingPicture(pictures: readonly Picture[]): Buffer {
  const header = headerOf(pictures[0]!);
  if (!pictures.every((each) => headerOf(each).equals(header))) {
    throw new Error('Pictures of several sizes or kinds');
  }
  let sequence = 0;
  const next = (): Buffer => {
    sequence += 1;
    return uint32(sequence - 1);
  };
  const frames = pictures.flatMap(({ png, ms }, index) => {
    // The full size at the upper left, the duration in thousandths of a second; it replaces the previous frame.
    const control = [
      next(),
      header.subarray(0, 8),
      uint32(0),
      uint32(0),
      uint16(ms),
      uint16(1_000),
    ];
    const pixels = chunksOf(png).filter(({ type }) => type === 'IDAT');
    return [
      makeChunk('fcTL', Buffer.concat([...control, Buffer.from([0, 0])])),
      ...pixels.map(({ data }) =>
        // The first frame is the one that a reader without animation shows.
        index === 0 ? makeChunk('IDAT', data) : makeChunk('fdAT', Buffer.concat([next(), data])),
      ),
    ];
  });
  const animation = Buffer.concat([uint32(pictures.length), uint32(0)]);
  return Buffer.concat([
    SIGNATURE,
    makeChunk('IHDR', header),
    makeChunk('acTL', animation),
    ...frames,
    makeChunk('IEND', Buffer.alloc(0)),
  ]);
}

const headerOf = ({ png }: Picture): Buffer => chunksOf(png)[0]!.data;

function chunksOf(png: Uint8Array): Chunk[] {
  const bytes = Buffer.from(png);
  const chunks: Chunk[] = [];
  for (let at = SIGNATURE.length; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    chunks.push({ type, data: bytes.subarray(at + 8, at + 8 + length) });
    at += length + CHUNK_BYTES;
  }
  return chunks;
}

function makeChunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  return Buffer.concat([uint32(data.length), named, uint32(crc32(named))]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}
