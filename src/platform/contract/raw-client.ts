/** A WebSocket and HTTP client on plain TCP, for behaviour that regular clients never show. */

import { connect, type Socket } from 'node:net';
import { until } from './until.ts';

export interface Frame {
  readonly opcode: number;
  readonly payload: Buffer;
}

export const OPCODE = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

/** The key of RFC 6455's own example. */
const KEY = 'dGhlIHNhbXBsZSBub25jZQ==';

export interface HandshakeParts {
  readonly path?: string;
  readonly method?: string;
  /** Given headers replace the default ones of that name; null leaves one out. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** Continues sending after the server has announced the end. */
  readonly halfOpen?: boolean;
}

export function makeHandshake(parts: HandshakeParts = {}): string {
  const headers: Record<string, string | null> = {
    host: '127.0.0.1',
    upgrade: 'websocket',
    connection: 'Upgrade',
    'sec-websocket-key': KEY,
    'sec-websocket-version': '13',
    ...parts.headers,
  };
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    value === null ? [] : [`${name}: ${value}`],
  );
  return [`${parts.method ?? 'GET'} ${parts.path ?? '/'} HTTP/1.1`, ...lines, '', ''].join('\r\n');
}

/** A client's frame: masked, as it must be. */
export function makeFrame(opcode: number, content: string | Buffer, fin = true): Buffer {
  const payload = Buffer.from(content);
  const mask = Buffer.from([0x12, 0x34, 0x56, 0x78]);
  const head = makeLength(payload.length);
  head[0] = (fin ? 0x80 : 0) | opcode;
  head[1]! |= 0x80;
  for (let i = 0; i < payload.length; i++) payload[i]! ^= mask[i % 4]!;
  return Buffer.concat([head, mask, payload]);
}

function makeLength(length: number): Buffer {
  if (length <= 125) return Buffer.from([0, length]);
  if (length <= 0xffff) return Buffer.from([0, 126, length >> 8, length & 0xff]);
  const head = Buffer.alloc(10);
  head[1] = 127;
  head.writeUInt32BE(length, 6);
  return head;
}

export function makeClosePayload(code: number, reason: string): Buffer {
  return Buffer.concat([Buffer.from([code >> 8, code & 0xff]), Buffer.from(reason)]);
}

export class RawClient {
  readonly tcp: Socket;
  /** Status line and headers of the response, once they have arrived. */
  head = '';
  /** The data after the head, if the response was not 101. */
  body = '';
  readonly frames: Frame[] = [];
  /** How the connection ended, if it has. */
  end: 'open' | 'fin' | 'error' = 'open';
  answersPings = true;
  answersClose = true;
  private unread: Buffer = Buffer.alloc(0);

  constructor(port: number, allowHalfOpen = false) {
    this.tcp = connect({ port, host: '127.0.0.1', allowHalfOpen });
    this.tcp.on('data', (chunk) => this.take(chunk));
    this.tcp.on('end', () => {
      if (this.end === 'open') this.end = 'fin';
    });
    this.tcp.on('error', () => {
      if (this.end === 'open') this.end = 'error';
    });
  }

  write(bytes: string | Buffer): void {
    this.tcp.write(bytes);
  }

  text(text: string): void {
    this.write(makeFrame(OPCODE.text, text));
  }

  /** Sends the same bytes as fast as the server accepts them, until told to stop. */
  sendOn(bytes: Buffer): () => void {
    const { tcp } = this;
    let isOver = false;
    const send = (): void => {
      while (!isOver && !tcp.destroyed && tcp.write(bytes));
      if (!isOver) tcp.once('drain', send);
    };
    send();
    return () => {
      isOver = true;
      tcp.off('drain', send);
    };
  }

  get texts(): string[] {
    return this.frames.filter((f) => f.opcode === OPCODE.text).map((f) => f.payload.toString());
  }

  /** Code and reason of the server's close frame, as `1000 bye`; null before it. */
  get closeFrame(): string | null {
    const frame = this.frames.find((f) => f.opcode === OPCODE.close);
    if (frame === undefined) return null;
    if (frame.payload.length < 2) return '1005 ';
    return `${frame.payload.readUInt16BE(0)} ${frame.payload.toString('utf8', 2)}`;
  }

  private take(chunk: Buffer): void {
    this.unread = Buffer.concat([this.unread, chunk]);
    if (this.head === '') this.takeHead();
    if (this.head.startsWith('HTTP/1.1 101')) this.takeFrames();
    else {
      this.body += this.unread.toString('latin1');
      this.unread = Buffer.alloc(0);
    }
  }

  private takeHead(): void {
    const end = this.unread.indexOf('\r\n\r\n');
    if (end < 0) return;
    this.head = this.unread.toString('latin1', 0, end);
    this.unread = this.unread.subarray(end + 4);
  }

  private takeFrames(): void {
    for (;;) {
      const frame = parseFrame(this.unread);
      if (frame === null) return;
      this.unread = this.unread.subarray(frame.bytes);
      this.frames.push(frame);
      this.answer(frame);
    }
  }

  private answer({ opcode, payload }: Frame): void {
    if (opcode === OPCODE.close && this.answersClose) this.write(makeFrame(OPCODE.close, payload));
    if (opcode === OPCODE.ping && this.answersPings) this.write(makeFrame(OPCODE.pong, payload));
  }
}

/** An unmasked frame from the start of `bytes`; null while it is incomplete. */
function parseFrame(bytes: Buffer): (Frame & { bytes: number }) | null {
  if (bytes.length < 2) return null;
  const short = bytes[1]! & 0x7f;
  const headBytes = short === 127 ? 10 : short === 126 ? 4 : 2;
  if (bytes.length < headBytes) return null;
  const length =
    short === 127 ? bytes.readUInt32BE(6) : short === 126 ? bytes.readUInt16BE(2) : short;
  if (bytes.length < headBytes + length) return null;
  const payload = Buffer.from(bytes.subarray(headBytes, headBytes + length));
  return { opcode: bytes[0]! & 0x0f, payload, bytes: headBytes + length };
}

/** Sends `request`, waits for the head of a response. */
export async function ask(port: number, request: string, halfOpen = false): Promise<RawClient> {
  const client = new RawClient(port, halfOpen);
  client.write(request);
  await until(() => client.head !== '' || client.end !== 'open', 'an answer');
  return client;
}

/** A client whose socket is open. */
export async function openSocket(port: number, parts: HandshakeParts = {}): Promise<RawClient> {
  const client = await ask(port, makeHandshake(parts), parts.halfOpen);
  if (!client.head.startsWith('HTTP/1.1 101')) throw new Error(`no upgrade: ${client.head}`);
  return client;
}
