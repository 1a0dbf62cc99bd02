/** Writes server-to-client text frames (RFC 6455, section 5.2): whole, unmasked, uncompressed. */

const FIN_AND_TEXT = 0x81;
/** Longest payload whose length fits into the second byte, and into two bytes after it. */
const LENGTH_7_BIT_MAX = 125;
const LENGTH_16_BIT_MAX = 0xffff;
const LENGTH_16_BIT = 126;
const LENGTH_64_BIT = 127;

/** All texts as frames, one after the other, in one buffer. */
export function makeTextFrames(texts: readonly string[]): Buffer {
  let total = 0;
  for (const text of texts) {
    const length = Buffer.byteLength(text);
    total += headBytes(length) + length;
  }
  const frames = Buffer.allocUnsafe(total);
  let at = 0;
  for (const text of texts) {
    const length = Buffer.byteLength(text);
    at = writeHead(frames, at, length);
    at += frames.write(text, at);
  }
  return frames;
}

function headBytes(length: number): number {
  if (length <= LENGTH_7_BIT_MAX) return 2;
  return length <= LENGTH_16_BIT_MAX ? 4 : 10;
}

/** Returns where the payload begins. */
function writeHead(frames: Buffer, at: number, length: number): number {
  frames[at] = FIN_AND_TEXT;
  if (length <= LENGTH_7_BIT_MAX) {
    frames[at + 1] = length;
  } else if (length <= LENGTH_16_BIT_MAX) {
    frames[at + 1] = LENGTH_16_BIT;
    frames.writeUInt16BE(length, at + 2);
  } else {
    frames[at + 1] = LENGTH_64_BIT;
    frames.writeBigUInt64BE(BigInt(length), at + 2);
  }
  return at + headBytes(length);
}
