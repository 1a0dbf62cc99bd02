/** A minimal WebSocket client (RFC 6455): cheap enough that one core drives thousands of them. */

import { randomBytes } from 'node:crypto';
import type { Address, Connection, Traffic } from './tcp.ts';
import { openTcp } from './tcp.ts';

export interface WebSocketOptions {
  readonly address: Address;
  /** The client's own address, in 127.0.0.0/8. */
  readonly from: string;
  /** Path with query. */
  readonly path: string;
  readonly protocols: readonly string[];
  readonly traffic: Traffic;
  /** The handshake is through. May come in the same read as the first frames, and before them. */
  opened(): void;
  /** A whole message; `payload` is only good until this returns. */
  message(payload: Buffer): void;
  /** Called exactly once. `code` is the server's close code, 1006 without one. */
  closed(code: number, reason: string): void;
}

export interface WebSocketClient {
  /** Sends a frame made by `makeFrame`. */
  send(frame: Uint8Array): void;
  /** Starts the closing handshake; `closed` follows. */
  close(): void;
}

const TEXT = 1;
const BINARY = 2;
const CLOSE = 8;
const PING = 9;
const PONG = 10;
const FINAL = 0x80;
const MASKED = 0x80;
const LENGTH_16 = 126;
const LENGTH_64 = 127;
const NORMAL_CLOSURE = 1000;
const ABNORMAL_CLOSURE = 1006;
const HEAD_END = '\r\n\r\n';

/** A frame as clients send it. The mask is four zeros, which leaves the payload as it is. */
export function makeFrame(payload: string | Uint8Array): Uint8Array {
  return typeof payload === 'string'
    ? frameOf(TEXT, Buffer.from(payload))
    : frameOf(BINARY, payload);
}

export function openWebSocket(options: WebSocketOptions): WebSocketClient {
  let connection: Connection | null = null;
  let shaken = false;
  let rest: Buffer | null = null;
  let closing = false;
  let ended = false;
  let closeCode = ABNORMAL_CLOSURE;
  let closeReason = '';

  const finish = (reason: string): void => {
    if (ended) return;
    ended = true;
    options.closed(closeCode, closeReason === '' ? reason : closeReason);
  };
  const giveUp = (reason: string): void => {
    connection?.destroy();
    finish(reason);
  };
  const startClosing = (): void => {
    if (closing) return;
    closing = true;
    connection?.write(CLOSE_FRAME);
  };

  const handle = (opcode: number, payload: Buffer): void => {
    switch (opcode) {
      case TEXT:
      case BINARY:
        options.traffic.frames++;
        options.message(payload);
        return;
      case PING:
        connection?.write(frameOf(PONG, payload));
        return;
      case CLOSE:
        closeCode = payload.length >= 2 ? payload.readUInt16BE(0) : NORMAL_CLOSURE;
        closeReason = payload.toString('utf8', 2);
        startClosing();
        connection?.end();
        return;
      case PONG:
        return;
      default:
        giveUp(`opcode ${opcode} is not supported`);
    }
  };

  const shakeHands = (bytes: Buffer): Buffer | null => {
    const end = bytes.indexOf(HEAD_END);
    if (end < 0) return null;
    const head = bytes.toString('latin1', 0, end);
    if (!head.startsWith('HTTP/1.1 101')) {
      giveUp(`handshake refused: ${bytes.toString('utf8', 0, 400)}`);
      return null;
    }
    shaken = true;
    options.opened();
    return bytes.subarray(end + HEAD_END.length);
  };

  openTcp(options.address, options.from, {
    opened(opened) {
      connection = opened;
      opened.write(makeHandshake(options));
    },
    received(chunk) {
      options.traffic.bytes += chunk.length;
      let bytes = rest === null ? chunk : Buffer.concat([rest, chunk]);
      rest = null;
      if (!shaken) {
        const left = shakeHands(bytes);
        if (left === null) {
          rest = Buffer.from(bytes);
          return;
        }
        bytes = left;
      }
      const used = readFrames(bytes, handle);
      if (used < bytes.length) rest = Buffer.from(bytes.subarray(used));
    },
    closed: (error) => finish(error?.message ?? 'connection closed'),
  });
  return { send: (frame) => connection?.write(frame), close: startClosing };
}

/** Hands out every whole frame and answers how many bytes they took. Servers do not fragment. */
function readFrames(bytes: Buffer, handle: (opcode: number, payload: Buffer) => void): number {
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
    handle(first & FINAL ? first & 15 : -1, bytes.subarray(start, end));
    at = end;
  }
  return at;
}

function frameOf(opcode: number, payload: Uint8Array): Uint8Array {
  const { length } = payload;
  if (length >= 1 << 16) throw new Error('clients of the benchmark send small frames');
  const head =
    length < LENGTH_16
      ? [FINAL | opcode, MASKED | length]
      : [FINAL | opcode, MASKED | LENGTH_16, length >> 8, length & 255];
  const frame = new Uint8Array(head.length + 4 + length);
  frame.set(head);
  frame.set(payload, head.length + 4);
  return frame;
}

const CLOSE_FRAME = frameOf(CLOSE, Uint8Array.of(NORMAL_CLOSURE >> 8, NORMAL_CLOSURE & 255));

function makeHandshake({ address, path, protocols }: WebSocketOptions): string {
  const lines = [
    `GET ${path} HTTP/1.1`,
    `Host: ${address.host}:${address.port}`,
    'Upgrade: websocket',
    'Connection: Upgrade',
    `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
    'Sec-WebSocket-Version: 13',
  ];
  if (protocols.length > 0) lines.push(`Sec-WebSocket-Protocol: ${protocols.join(', ')}`);
  return lines.join('\r\n') + HEAD_END;
}
