/** A player's end of a socket: a real WebSocket that checks every frame against the contract. */

import { type ServerFrame, serverFrame } from '../../contract/frames/server-frames.ts';
import { SUBPROTOCOL, SUBPROTOCOL_2, TOKEN_PROTOCOL_PREFIX } from '../../contract/messages.ts';
import { type Interpreter, makeInterpreter, spokenHere } from './both-protocols.ts';

export type FrameOf<T extends ServerFrame['t']> = Extract<ServerFrame, { t: T }>;

export interface SocketEnd {
  readonly code: number;
  readonly reason: string;
}

export interface SocketClient {
  /** All received frames, in order. */
  readonly frames: readonly ServerFrame[];
  /** The raw received and sent texts. */
  readonly texts: readonly string[];
  readonly sent: readonly string[];
  readonly closed: Promise<SocketEnd>;
  /** Whether the socket is open, as far as this end knows. */
  isOpen(): boolean;
  /** Sends a frame; a text is sent unchanged. */
  send(frame: object | string | Uint8Array<ArrayBuffer>): void;
  /** The next untaken frame with one of these names; also takes all before it. */
  next<T extends ServerFrame['t']>(...names: readonly T[]): Promise<FrameOf<T>>;
  /** Received frames that were not taken yet. */
  take(): ServerFrame[];
  /** Waits until the server has processed everything sent, then takes the results. */
  settle(): Promise<ServerFrame[]>;
  close(): Promise<SocketEnd>;
}

export interface SocketWish {
  /** Null sends none: it is to be sent in a `hello`. */
  readonly token?: string | null;
  readonly protocols?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly path?: string;
}

/** The handshake was refused. */
export class RefusedError extends Error {
  readonly status: number;
  constructor(status: number) {
    super(`refused with ${status}`);
    this.status = status;
  }
}

/** Longer than anything in a test, unless it hangs. */
const PATIENCE_MS = 15_000;

/** Opens a socket; rejects with RefusedError when the handshake is refused. */
export function openSocket(port: number, wish: SocketWish = {}): Promise<SocketClient> {
  const { token = null, path = '/v1/socket', headers = {} } = wish;
  const named = token === null ? [] : [`${TOKEN_PROTOCOL_PREFIX}${token}`];
  const protocols = [...(wish.protocols ?? [spokenHere(), ...named])];
  const options = { protocols, headers } as unknown as string[];
  const ws = new WebSocket(`ws://127.0.0.1:${port}${path}`, options);
  const interpreter = makeInterpreter(
    protocols.includes(SUBPROTOCOL_2) ? SUBPROTOCOL_2 : SUBPROTOCOL,
  );
  const client = makeClient(ws, interpreter);
  return new Promise((resolve, reject) => {
    ws.addEventListener('open', () => resolve(client));
    ws.addEventListener('error', (event) => {
      const status = /status code: (\d+)/.exec((event as ErrorEvent).message)?.[1];
      reject(new RefusedError(Number(status ?? 0)));
    });
  });
}

function makeClient(ws: WebSocket, interpreter: Interpreter): SocketClient {
  const frames: ServerFrame[] = [];
  const texts: string[] = [];
  const sent: string[] = [];
  let taken = 0;
  let pings = 0;
  let wake = (): void => {};
  ws.addEventListener('message', ({ data }) => {
    texts.push(String(data));
    frames.push(...interpreter.read(String(data)).map(parseServerFrame));
    wake();
  });
  const closed = new Promise<SocketEnd>((resolve) => {
    ws.addEventListener('close', ({ code, reason }) => {
      resolve({ code, reason });
      wake();
    });
  });
  const find = (fits: (frame: ServerFrame) => boolean): Promise<number> =>
    waitFor(
      () => {
        const index = frames.findIndex((frame, at) => at >= taken && fits(frame));
        if (index !== -1) return index;
        if (ws.readyState === WebSocket.CLOSED) throw new Error('The socket has closed');
        return null;
      },
      (look) => {
        wake = look;
      },
      () => JSON.stringify(frames.slice(taken)),
    );
  const client: SocketClient = {
    frames,
    texts,
    sent,
    closed,
    isOpen: () => ws.readyState === WebSocket.OPEN,
    send(frame) {
      const data = isData(frame) ? frame : interpreter.write(frame);
      if (typeof data === 'string') sent.push(data);
      ws.send(data);
    },
    async next(...names) {
      const index = await find(({ t }) => names.some((name) => name === t));
      taken = index + 1;
      return frames[index] as never;
    },
    take() {
      const news = frames.slice(taken);
      taken = frames.length;
      return news;
    },
    async settle() {
      pings += 1;
      const n = pings;
      client.send({ t: 'ping', n });
      const index = await find((frame) => frame.t === 'pong' && frame.n === n);
      const news = frames.slice(taken, index);
      taken = index + 1;
      return news;
    },
    close() {
      ws.close();
      return closed;
    },
  };
  return client;
}

function isData(frame: object | string): frame is string | Uint8Array<ArrayBuffer> {
  return typeof frame === 'string' || frame instanceof Uint8Array;
}

/** Throws for a frame outside the contract: it fails the test that received it. */
function parseServerFrame(text: string): ServerFrame {
  const parsed = serverFrame.safeParse(JSON.parse(text));
  if (!parsed.success) throw new Error(`Not a frame: ${text}\n${parsed.error.message}`);
  return parsed.data;
}

/** Checks now and whenever woken, until there is something. */
function waitFor<T>(
  look: () => T | null,
  onWake: (look: () => void) => void,
  seen: () => string,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = new Error('Waited in vain');
    const timer = setTimeout(() => {
      late.message += `; what came: ${seen()}`;
      reject(late);
    }, PATIENCE_MS);
    const tryNow = (): void => {
      try {
        const found = look();
        if (found === null) return;
        resolve(found);
      } catch (error) {
        late.message = `${String(error)}; what came: ${seen()}`;
        reject(late);
      }
      clearTimeout(timer);
      onWake(() => {});
    };
    onWake(tryNow);
    tryNow();
  });
}
