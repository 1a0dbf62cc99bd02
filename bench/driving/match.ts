/** The driver's interface to a server under test, and how a scripted match is played on it. */

import type { Address, Traffic } from './tcp.ts';

/** The server under test as an adapter sees it. */
export interface Target {
  readonly address: Address;
  /** The credentials of clients: the API key. Empty for servers without keys. */
  readonly key: string;
  readonly traffic: Traffic;
}

/** Called by an adapter with the events of a match. */
export interface MatchEvents {
  /** One of the frames that a move waits for has come. */
  seen(): void;
  /** The match cannot continue: a refusal, or a lost connection. */
  failed(error: Error): void;
}

export interface OpenMatch {
  /** Sends the move at `ply`, which marks the cell `position`. */
  move(ply: number, position: number): void;
  /** Both players leave; resolves when their connections are gone. */
  leave(): Promise<void>;
}

/** One protocol: how to set up a match, move in it and leave it. */
export interface Adapter {
  /** Creates a match of `plies` moves, seats two players and connects them, ready to move. */
  open(index: number, plies: number, events: MatchEvents): Promise<OpenMatch>;
  /** How many frames both players together must receive before a move counts as done. */
  framesAwaited(isLast: boolean): number;
  close(): void;
}

export type MakeAdapter = (target: Target) => Adapter;

/** Tic-tac-toe to the end: drawn in 9 moves, won by X in 7, won by O in 8. Cells by row. */
const SCRIPTS: readonly (readonly number[])[] = [
  [0, 1, 2, 4, 3, 5, 7, 6, 8],
  [0, 1, 4, 2, 3, 5, 8],
  [0, 1, 2, 4, 3, 5, 8, 7],
];

export interface ScriptedMatch {
  /**
   * Plays to the end, one move outstanding; returns the number of moves. `latencies` gets ms per
   * move.
   */
  play(latencies: number[]): Promise<number>;
  leave(): Promise<void>;
}

/** The n-th match plays the n-th script, in turn. */
export async function openScripted(adapter: Adapter, index: number): Promise<ScriptedMatch> {
  const script = SCRIPTS[index % SCRIPTS.length]!;
  let awaited = 0;
  let done: () => void = () => {};
  let fail: (error: Error) => void = () => {};
  let failure: Error | null = null;
  const match = await adapter.open(index, script.length, {
    seen() {
      if (--awaited === 0) done();
    },
    failed(error) {
      failure ??= error;
      fail(error);
    },
  });
  return {
    play: (latencies) =>
      new Promise((resolve, reject) => {
        if (failure !== null) return reject(failure);
        fail = reject;
        let ply = 0;
        let sentAt = 0;
        const next = (): void => {
          if (ply === script.length) {
            resolve(ply);
            return;
          }
          awaited = adapter.framesAwaited(ply === script.length - 1);
          sentAt = performance.now();
          match.move(ply, script[ply]!);
          ply++;
        };
        done = () => {
          latencies.push(performance.now() - sentAt);
          next();
        };
        next();
      }),
    leave: () => match.leave(),
  };
}
