/** A minimal WebSocket client (RFC 6455): cheap enough that one core drives thousands of them. */

import { randomBytes } from 'node:crypto';
import type { Address, Connection, Traffic } from './tcp.ts';
import { openTcp } from './tcp.ts';
import { makeClose, makePong, OPCODE, parseClose, readFrames } from './web-socket-frames.ts';

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

const ABNORMAL_CLOSURE = 1006;
const HEAD_END = '\r\n\r\n';
/** How much of a refused handshake is shown. */
const REFUSAL_BYTES = 400;

/** A client's life: the connection, what of the last read is not a whole frame yet, the end. */
interface State {
  readonly options: WebSocketOptions;
  connection: Connection | null;
  /** Whether the handshake is complete. */
  shaken: boolean;
  rest: Buffer | null;
  /** Whether the client has sent its close frame. */
  closing: boolean;
  ended: boolean;
  /** The contents of the server's close frame. */
  closeCode: number;
  closeReason: string;
}

export function openWebSocket(options: WebSocketOptions): WebSocketClient {
  const state: State = {
    options,
    connection: null,
    shaken: false,
    rest: null,
    closing: false,
    ended: false,
    closeCode: ABNORMAL_CLOSURE,
    closeReason: '',
  };
  const handle = (opcode: number, payload: Buffer): void => handleFrame(state, opcode, payload);
  openTcp(options.address, options.from, {
    opened(connection) {
      state.connection = connection;
      connection.write(makeHandshake(options));
    },
    received: (chunk) => receive(state, chunk, handle),
    closed: (error) => finish(state, error?.message ?? 'connection closed'),
  });
  return {
    send: (frame) => state.connection?.write(frame),
    close: () => startClosing(state),
  };
}

function receive(
  state: State,
  chunk: Buffer,
  handle: (opcode: number, payload: Buffer) => void,
): void {
  state.options.traffic.bytes += chunk.length;
  const bytes = state.rest === null ? chunk : Buffer.concat([state.rest, chunk]);
  const start = state.shaken ? 0 : shakeHands(state, bytes);
  const frames = start === 0 ? bytes : bytes.subarray(start);
  const used = state.shaken ? readFrames(frames, handle) : 0;
  state.rest = used === frames.length ? null : Buffer.from(frames.subarray(used));
}

/** Returns where the first frame begins; 0 while the handshake is not done. */
function shakeHands(state: State, bytes: Buffer): number {
  const end = bytes.indexOf(HEAD_END);
  if (end < 0) return 0;
  if (!bytes.toString('latin1', 0, end).startsWith('HTTP/1.1 101')) {
    giveUp(state, `handshake refused: ${bytes.toString('utf8', 0, REFUSAL_BYTES)}`);
    return 0;
  }
  state.shaken = true;
  state.options.opened();
  return end + HEAD_END.length;
}

function handleFrame(state: State, opcode: number, payload: Buffer): void {
  switch (opcode) {
    case OPCODE.text:
    case OPCODE.binary:
      state.options.traffic.frames++;
      state.options.message(payload);
      return;
    case OPCODE.ping:
      state.connection?.write(makePong(payload));
      return;
    case OPCODE.pong:
      return;
    case OPCODE.close: {
      const { code, reason } = parseClose(payload);
      state.closeCode = code;
      state.closeReason = reason;
      startClosing(state);
      state.connection?.end();
      return;
    }
    default:
      giveUp(state, `opcode ${opcode} is not supported`);
  }
}

function startClosing(state: State): void {
  if (state.closing) return;
  state.closing = true;
  state.connection?.write(makeClose());
}

function giveUp(state: State, reason: string): void {
  state.connection?.destroy();
  finish(state, reason);
}

function finish(state: State, reason: string): void {
  if (state.ended) return;
  state.ended = true;
  state.options.closed(state.closeCode, state.closeReason || reason);
}

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
