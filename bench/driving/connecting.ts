/** Connects players to existing sessions, so that connecting can be measured separately. */

import type { CreatedSession } from '../adapters/matchd.ts';
import {
  createSession,
  keyHeaders,
  matchdFramesAwaited,
  openMatchdMatch,
  SOCKET_PATH,
  socketProtocols,
} from '../adapters/matchd.ts';
import { makeHttpClient } from './http-client.ts';
import type { ScriptedMatch, Target } from './match.ts';
import { openScripted } from './match.ts';
import { runMany } from './measure.ts';
import type { Player } from './player.ts';
import { connectPlayer } from './player.ts';

/** Sessions created, or matches connected, at the same time. */
const AT_ONCE = 32;

/** One group of matches after the other: `create`, `connect`, `end`. */
export interface Connecting {
  /** Creates sessions and keeps the tokens of their players. */
  create(matches: number): Promise<void>;
  /** Connects both players of each. */
  connect(): Promise<void>;
  /** Ends the matches, and closes all sockets. */
  end(): Promise<void>;
  close(): void;
}

export type MakeConnecting = (target: Target) => Connecting;

/** A player is connected when shown the active session. All matches are played to the end. */
export const connectToMatchd: MakeConnecting = (target) =>
  makeConnecting<ScriptedMatch>(target, {
    open: (session, index) =>
      openScripted(
        {
          open: (_index, _plies, events) =>
            openMatchdMatch(target, index, session.sessionId, doorsOf(session), events),
          framesAwaited: matchdFramesAwaited,
          close() {},
        },
        index,
      ),
    async end(match) {
      await match.play([]);
      await match.leave();
    },
  });

/** A player is connected when the handshake is done. */
export const connectToBare: MakeConnecting = (target) =>
  makeConnecting<readonly Player[]>(target, {
    open: (session, index) =>
      Promise.all(doorsOf(session).map((door) => shakeHands(target, index, door))),
    end: async (players) => void (await Promise.all(players.map((player) => player.leave()))),
  });

/** How the players of one match connect and leave. */
interface Visit<T> {
  open(session: CreatedSession, index: number): Promise<T>;
  end(match: T): Promise<void>;
}

function makeConnecting<T>(target: Target, { open, end }: Visit<T>): Connecting {
  const http = makeHttpClient(target.address, AT_ONCE, keyHeaders(target.key));
  let created = 0;
  let waiting: readonly { readonly session: CreatedSession; readonly index: number }[] = [];
  let connected: readonly T[] = [];
  return {
    async create(matches) {
      waiting = await runMany(matches, AT_ONCE, async () => {
        const index = created++;
        return { session: await createSession(http, index, {}), index };
      });
    },
    async connect() {
      connected = await runMany(waiting.length, AT_ONCE, (i) =>
        open(waiting[i]!.session, waiting[i]!.index),
      );
    },
    end: async () => void (await Promise.all(connected.map(end))),
    close: () => http.close(),
  };
}

interface Door {
  readonly path: string;
  readonly protocols: readonly string[];
}

function doorsOf({ tokens }: CreatedSession): Door[] {
  return tokens.map((token) => ({ path: SOCKET_PATH, protocols: socketProtocols(token) }));
}

function shakeHands(target: Target, index: number, door: Door): Promise<Player> {
  return new Promise((resolve, reject) => {
    connectPlayer({ target, index, ...door, opened: resolve, message() {}, lost: reject });
  });
}
