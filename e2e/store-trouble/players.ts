/** Two players of tic-tac-toe at bare sockets, who repeat what is not acknowledged. */

import type { ServerProcess } from '../server-process.ts';
import { makeTurnMatch, openSocket } from '../turn-matches.ts';

/** Like any client. Milliseconds. */
const AGAIN_MS = 300;

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

/** Starts a match and resolves when it is active for both. */
export async function startMatch(server: ServerProcess, turnTimeoutMs: number): Promise<Players> {
  matches += 1;
  const names = [`a${matches}`, `b${matches}`] as const;
  const made = await makeTurnMatch(server, names, { turnTimeoutMs });
  const open = (name: string) => openPlayer(server.url, made.sessionId, made.tokens[name]!);
  const [first, second] = [open(names[0]), open(names[1])];
  for (const player of [first, second]) {
    while (!player.frames.some(({ status }) => status === 'active')) await Bun.sleep(10);
  }
  return {
    ...{ session: made.sessionId, first, second },
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
  const socket = openSocket(url, token);
  const has = (kind: string, id?: string): boolean =>
    frames.some((frame) => frame.t === kind && (id === undefined || frame.id === id));
  socket.onmessage = ({ data }) => {
    frames.push({ ...JSON.parse(String(data)), came: performance.now() } as Frame);
  };
  socket.onclose = ({ code }) => void closed.push(code);
  const stop = (): void => {
    for (const timer of timers) clearInterval(timer);
  };
  return {
    ...{ frames, closed, has },
    move(id, position) {
      const text = JSON.stringify({ t: 'act', s, id, action: { position } });
      socket.send(text);
      const timer = setInterval(() => {
        if (has('ack', id)) clearInterval(timer);
        else if (socket.readyState === WebSocket.OPEN) socket.send(text);
      }, AGAIN_MS);
      timers.add(timer);
    },
    close() {
      stop();
      socket.onclose = null;
      socket.close();
    },
  };
}
