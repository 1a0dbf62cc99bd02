/** WebSocket frames (RFC 6455) as a client writes and reads them. */

export const OPCODE = { text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

const FINAL = 0x80;
const MASKED = 0x80;
const OPCODE_MASK = 15;
const LENGTH_16 = 126;
const LENGTH_64 = 127;
const MASK_BYTES = 4;
const PAYLOAD_BYTES_MAX = 65_535;
const NORMAL_CLOSURE = 1000;
/** A fragment of a message is passed on as a frame: servers under test send none. */
const FRAGMENT = -1;

/** A message as clients send it, from text or bytes. */
export function makeFrame(payload: string | Uint8Array): Uint8Array {
  return typeof payload === 'string'
    ? frameOf(OPCODE.text, Buffer.from(payload))
    : frameOf(OPCODE.binary, payload);
}

export function makePong(payload: Uint8Array): Uint8Array {
  return frameOf(OPCODE.pong, payload);
}

export function makeClose(): Uint8Array {
  return frameOf(OPCODE.close, Uint8Array.of(NORMAL_CLOSURE >> 8, NORMAL_CLOSURE & 255));
}

/** Code and reason of a close frame. */
export function parseClose(payload: Buffer): { readonly code: number; readonly reason: string } {
  const code = payload.length >= 2 ? payload.readUInt16BE(0) : NORMAL_CLOSURE;
  return { code, reason: payload.toString('utf8', 2) };
}

/** Passes on every whole frame and returns how many bytes they took. */
export function readFrames(
  bytes: Buffer,
  handle: (opcode: number, payload: Buffer) => void,
): number {
  let at = 0;
  while (bytes.length - at >= 2) {
    let start = at + 2;
    let length = bytes[at + 1]!;
    if (length === LENGTH_16) {
      if (bytes.length < at + 4) break;
      length = bytes.readUInt16BE(at + 2);
      start = at + 4;
    } else if (length === LENGTH_64) {
      if (bytes.length < at + 10) break;
      length = Number(bytes.readBigUInt64BE(at + 2));
      start = at + 10;
    }
    const end = start + length;
    if (bytes.length < end) break;
    const first = bytes[at]!;
    handle(first & FINAL ? first & OPCODE_MASK : FRAGMENT, bytes.subarray(start, end));
    at = end;
  }
  return at;
}

/** The mask is four zeros, which leaves the payload as it is. */
function frameOf(opcode: number, payload: Uint8Array): Uint8Array {
  const { length } = payload;
  if (length > PAYLOAD_BYTES_MAX) throw new Error('clients of the benchmark send small frames');
  const head =
    length < LENGTH_16
      ? [FINAL | opcode, MASKED | length]
      : [FINAL | opcode, MASKED | LENGTH_16, length >> 8, length & 255];
  const frame = new Uint8Array(head.length + MASK_BYTES + length);
  frame.set(head);
  frame.set(payload, head.length + MASK_BYTES);
  return frame;
}
