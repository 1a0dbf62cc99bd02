/** One player's WebSocket in a match: opened when its first frames say so, closed on leaving. */

import type { Target } from './match.ts';
import { clientAddress } from './tcp.ts';
import { openWebSocket } from './web-socket.ts';

export interface PlayerOptions {
  readonly target: Target;
  /** Number of the match: chooses the address the player connects from. */
  readonly index: number;
  readonly path: string;
  readonly protocols?: readonly string[];
  /** The handshake is through. */
  opened?(player: Player): void;
  message(payload: Buffer, player: Player): void;
  /** The connection ended unexpectedly. */
  lost(error: Error): void;
}

export interface Player {
  send(frame: Uint8Array): void;
  /** Resolves when the connection is gone. */
  leave(): Promise<void>;
}

export function connectPlayer(options: PlayerOptions): Player {
  let left: (() => void) | null = null;
  let gone = false;
  const socket = openWebSocket({
    address: options.target.address,
    from: clientAddress(options.index),
    path: options.path,
    protocols: options.protocols ?? [],
    traffic: options.target.traffic,
    opened: () => options.opened?.(player),
    message: (payload) => options.message(payload, player),
    closed(code, reason) {
      gone = true;
      if (left === null) options.lost(new Error(`connection lost: ${code} ${reason}`));
      else left();
    },
  });
  const player: Player = {
    send: socket.send,
    leave: () =>
      new Promise((resolve) => {
        left = resolve;
        if (gone) resolve();
        else socket.close();
      }),
  };
  return player;
}
