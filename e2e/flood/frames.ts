/** Sockets that send frames as fast as they can: in a separate thread, from one address. */

import { connect, type Socket } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import { makeFrame, makeHandshake, OPCODE } from '../../src/platform/contract/raw-client.ts';

export const FRAME_KINDS = [
  'pings',
  'pongs',
  'texts',
  'fragments',
  'binary',
  'lingering',
  'sink',
] as const;
export type FrameKind = (typeof FRAME_KINDS)[number];

export interface FrameWish {
  readonly url: string;
  readonly kind: FrameKind;
  /** Sockets at once. One that ends is followed by another, a moment later. */
  readonly sockets: number;
  /** In turn; none connects without. */
  readonly tokens: readonly string[];
  /** How long to wait until the next connection, ms. */
  readonly againMs: number;
  /** All sockets together, megabytes a second; 0 is as fast as they can. */
  readonly mbPerSecond: number;
  /** X-Forwarded-For. */
  readonly address: string;
}

export interface FrameReport {
  /** Handshakes that were accepted, and refused. */
  readonly opened: number;
  readonly refused: number;
  readonly sentMb: number;
  /** How long a socket could send at the longest, ms. */
  readonly longestMs: number;
}

const BATCH_BYTES = 256 * 1_024;
const LARGE_BYTES = 16_000;
/** By then a server that closes a socket has sent its close frame. Milliseconds. */
const CLOSED_MS = 100;

/** The first frame of the flood, and the repeated one. */
const FRAMES: Readonly<Record<FrameKind, readonly [first: Buffer, again: Buffer]>> = {
  pings: [Buffer.alloc(0), makeFrame(OPCODE.ping, '')],
  pongs: [Buffer.alloc(0), makeFrame(OPCODE.pong, '')],
  texts: [Buffer.alloc(0), makeFrame(OPCODE.text, '')],
  fragments: [makeFrame(OPCODE.text, '', false), makeFrame(OPCODE.continuation, '', false)],
  binary: [Buffer.alloc(0), makeFrame(OPCODE.binary, Buffer.alloc(LARGE_BYTES))],
  // Is closed for its first frame, and keeps sending. To a server that reads and does nothing.
  sink: [Buffer.alloc(0), makeFrame(OPCODE.ping, '')],
  lingering: [makeFrame(OPCODE.binary, ''), makeFrame(OPCODE.ping, '')],
};

if (parentPort !== null && workerData?.kind !== undefined) {
  run(workerData as FrameWish, (report) => parentPort!.postMessage(report));
}

function run(wish: FrameWish, report: (report: FrameReport) => void): void {
  const [first, again] = FRAMES[wish.kind];
  const batch = Buffer.concat(
    Array<Buffer>(Math.max(1, Math.floor(BATCH_BYTES / again.length))).fill(again),
  );
  const open = new Set<Socket>();
  let [opened, refused, sent, longestMs, tokens] = [0, 0, 0, 0, 0];
  const begin = (): void => {
    const token = wish.tokens[tokens++ % Math.max(1, wish.tokens.length)];
    const { hostname, port } = new URL(wish.url);
    // It continues after the server has closed it.
    const tcp = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    let from = 0;
    open.add(tcp);
    tcp.on('error', () => {});
    tcp.once('close', () => {
      open.delete(tcp);
      sent += tcp.bytesWritten;
      if (from > 0) longestMs = Math.max(longestMs, performance.now() - from);
      setTimeout(begin, wish.againMs);
    });
    const protocol = token === undefined ? 'matchd.v1' : `matchd.v1, token.${token}`;
    const headers = { 'sec-websocket-protocol': protocol, 'x-forwarded-for': wish.address };
    tcp.write(makeHandshake({ path: '/v1/socket', headers }));
    tcp.once('data', (head) => {
      if (!head.toString('latin1').startsWith('HTTP/1.1 101')) {
        refused += 1;
        tcp.destroy();
        return;
      }
      opened += 1;
      from = performance.now();
      tcp.resume();
      tcp.write(first);
      const waitMs = wish.kind === 'lingering' ? CLOSED_MS : 0;
      if (wish.mbPerSecond > 0) {
        const bytesPerSecond = (wish.mbPerSecond * 1e6) / wish.sockets;
        setTimeout(sendSteadily, waitMs, tcp, again, bytesPerSecond);
        return;
      }
      const send = (): void => {
        while (!tcp.destroyed && tcp.write(batch));
        if (!tcp.destroyed) tcp.once('drain', send);
      };
      setTimeout(send, waitMs);
    });
  };
  for (let n = 0; n < wish.sockets; n++) begin();
  parentPort!.on('message', () => {
    const now = [...open].reduce((sum, tcp) => sum + tcp.bytesWritten, sent);
    report({
      opened,
      refused,
      sentMb: Math.round(now / 1e6),
      longestMs: Math.round(longestMs),
    });
    process.exit(0);
  });
}

const STEP_MS = 5;

/** Sends that many bytes a second, unless the other end reads fewer. */
function sendSteadily(tcp: Socket, frame: Buffer, bytesPerSecond: number): void {
  const count = Math.max(1, Math.round((bytesPerSecond * STEP_MS) / 1_000 / frame.length));
  const step = Buffer.concat(Array<Buffer>(count).fill(frame));
  const timer = setInterval(() => {
    if (!tcp.writableNeedDrain) tcp.write(step);
  }, STEP_MS);
  tcp.once('close', () => clearInterval(timer));
}
