/** Players of tic-tac-toe on bare sockets, who reconnect and repeat what is not acknowledged. */

import type { ServerProcess } from '../parts/server-process.ts';
import { makeTurnMatch, openSocket } from '../parts/turn-matches.ts';

/** Like any client. Milliseconds. */
const RETRY_MS = 300;

export interface Frame {
  readonly t: string;
  /** When it came, by `performance.now()`. */
  readonly came: number;
  readonly v?: number;
  readonly id?: string;
  readonly code?: string;
  readonly status?: string;
}

export interface Player {
  readonly frames: readonly Frame[];
  /** The codes with which its sockets were closed. */
  readonly closed: readonly number[];
  has(kind: string, id?: string): boolean;
  /** Moves, and repeats it until that is acknowledged. */
  move(id: string, position: number): void;
  close(): void;
}

export interface Players {
  readonly session: string;
  /** To move first. */
  readonly first: Player;
  readonly second: Player;
  close(): void;
}

let matches = 0;

/** A match whose players have not come. */
export interface Waiting {
  readonly session: string;
  /** Opens a player's socket. */
  open(seat: 0 | 1): Player;
}

export async function makeMatch(server: ServerProcess, turnTimeoutMs: number): Promise<Waiting> {
  matches += 1;
  const names = [`a${matches}`, `b${matches}`] as const;
  const { sessionId, tokens } = await makeTurnMatch(server, names, { turnTimeoutMs });
  return {
    session: sessionId,
    open: (seat) => openPlayer(server.url, sessionId, tokens[names[seat]]!),
  };
}

/** Resolves when the match is active for both players. */
export async function startMatch(server: ServerProcess, turnTimeoutMs: number): Promise<Players> {
  const { session, open } = await makeMatch(server, turnTimeoutMs);
  const [first, second] = [open(0), open(1)];
  for (const player of [first, second]) {
    while (!player.frames.some(({ status }) => status === 'active')) await Bun.sleep(10);
  }
  return {
    session,
    first,
    second,
    close() {
      first.close();
      second.close();
    },
  };
}

function openPlayer(url: string, s: string, token: string): Player {
  const frames: Frame[] = [];
  const closed: number[] = [];
  const timers = new Set<ReturnType<typeof setInterval>>();
  const has = (kind: string, id?: string): boolean =>
    frames.some((frame) => frame.t === kind && (id === undefined || frame.id === id));
  let isOver = false;
  let socket: WebSocket;
  const connect = (): void => {
    socket = openSocket(url, token);
    socket.onmessage = ({ data }) => {
      frames.push({ ...JSON.parse(String(data)), came: performance.now() } as Frame);
    };
    socket.onclose = ({ code }) => {
      if (isOver) return;
      closed.push(code);
      timers.add(setTimeout(connect, RETRY_MS));
    };
  };
  connect();
  return {
    frames,
    closed,
    has,
    move(id, position) {
      const text = JSON.stringify({ t: 'act', s, id, action: { position } });
      const send = (): void => {
        if (socket.readyState === WebSocket.OPEN && !has('ack', id)) socket.send(text);
      };
      send();
      timers.add(setInterval(send, RETRY_MS));
    },
    close() {
      isOver = true;
      for (const timer of timers) clearTimeout(timer);
      socket.close();
    },
  };
}
