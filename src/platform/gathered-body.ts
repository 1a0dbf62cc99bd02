/** A body that arrives in pieces: stored in one buffer, however small they are. */

export interface GatheredBody {
  /** False when it would exceed the limit; then the piece is not added. */
  add(piece: Uint8Array): boolean;
  /** Everything so far. */
  whole(): Uint8Array<ArrayBuffer>;
}

const FIRST_BYTES = 1_024;

export function gatherBody(bytesMax: number): GatheredBody {
  let buffer = new Uint8Array(Math.min(FIRST_BYTES, bytesMax));
  let length = 0;
  return {
    add(piece) {
      const needed = length + piece.byteLength;
      if (needed > bytesMax) return false;
      if (needed > buffer.byteLength) {
        const grown = new Uint8Array(Math.min(bytesMax, Math.max(needed, 2 * buffer.byteLength)));
        grown.set(buffer.subarray(0, length));
        buffer = grown;
      }
      buffer.set(piece, length);
      length = needed;
      return true;
    },
    whole: () => buffer.slice(0, length),
  };
}
