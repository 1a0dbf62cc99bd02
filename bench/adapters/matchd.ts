/** Plays on matchd: sessions over HTTP, moves by either subprotocol. */

import type { HttpClient } from '../driving/http-client.ts';
import { makeHttpClient } from '../driving/http-client.ts';
import type { Adapter, MatchEvents, OpenMatch, Target } from '../driving/match.ts';
import type { Player } from '../driving/player.ts';
import { connectPlayer } from '../driving/player.ts';
import { makeFrame } from '../driving/web-socket-frames.ts';
import { kindOf } from './matchd-frames.ts';

/** A session that was just made, with a token for each seat. */
export interface CreatedSession {
  readonly sessionId: string;
  readonly tokens: readonly [string, string];
}

const GAME = 'tictactoe';
export const SOCKET_PATH = '/v1/socket';
const HTTP_CONNECTIONS = 32;
/** The subprotocol, by its number. */
export type Version = 1 | 2;

/** An update to both, with `matchd.v1` an ack to the mover; at the end `over` to both as well. */
const FRAMES_AWAITED: Readonly<Record<Version, number>> = { 1: 3, 2: 2 };
const FRAMES_AWAITED_LAST: Readonly<Record<Version, number>> = { 1: 5, 2: 4 };
const ACTIVE = '"status":"active"';

const DAY_MS = 24 * 60 * 60 * 1_000;
/** Options of sessions without moves or reconnects for a long time. */
export const PATIENT = { turnTimeoutMs: 14 * DAY_MS, disconnectGraceMs: 14 * DAY_MS };

/** `options` are those of every session; `game` is one whose actions are those of tic-tac-toe. */
export function makeMatchdAdapter(
  target: Target,
  version: Version,
  options: Record<string, unknown> = {},
  game = GAME,
): Adapter {
  const http = makeHttpClient(target.address, HTTP_CONNECTIONS, keyHeaders(target.key));
  return {
    async open(index, _plies, events) {
      const { sessionId, tokens } = await createSession(http, index, options, game);
      const doors = tokens.map((token) => ({
        path: SOCKET_PATH,
        protocols: socketProtocols(token, version),
      }));
      return openMatchdMatch(target, index, sessionId, doors, events, version);
    },
    framesAwaited: (isLast) => matchdFramesAwaited(isLast, version),
    close: () => http.close(),
  };
}

export function matchdFramesAwaited(isLast: boolean, version: Version = 2): number {
  return (isLast ? FRAMES_AWAITED_LAST : FRAMES_AWAITED)[version];
}

export function keyHeaders(key: string): Record<string, string> {
  return { Authorization: `Bearer ${key}` };
}

/** The request body for a session; every session has its own players. */
export function sessionRequest(
  index: number,
  options: Record<string, unknown>,
  game = GAME,
): Record<string, unknown> {
  const players = playersOf(index).map((id) => ({ id }));
  return { game, mode: 'test', players, options };
}

export async function createSession(
  http: HttpClient,
  index: number,
  options: Record<string, unknown>,
  game = GAME,
): Promise<CreatedSession> {
  const answer = await http.post('/v1/sessions', sessionRequest(index, options, game));
  if (answer.status !== 201) throw new Error(`create: ${answer.status} ${answer.body}`);
  const { sessionId, tokens } = JSON.parse(answer.body) as {
    sessionId: string;
    tokens: Record<string, string>;
  };
  const [first, second] = playersOf(index);
  return { sessionId, tokens: [tokens[first]!, tokens[second]!] };
}

export function socketProtocols(token: string, version: Version = 2): string[] {
  return [`matchd.v${version}`, `token.${token}`];
}

function playersOf(index: number): [string, string] {
  return [`a${index}`, `b${index}`];
}

/** The address of a player's socket. */
export interface Door {
  readonly path: string;
  readonly protocols: readonly string[];
  /** Another server than that of the match: any node accepts any player. */
  readonly target?: Target;
  /** Receives the `welcome` frame. */
  readonly welcomed?: (payload: Buffer) => void;
}

/** Connects both players; resolves when both have been shown the active session. */
export function openMatchdMatch(
  target: Target,
  index: number,
  sessionId: string,
  doors: readonly Door[],
  events: MatchEvents,
  version: Version = 2,
): Promise<OpenMatch> {
  return new Promise((resolve, reject) => {
    /** Players who have received the active session; some receive it twice. */
    const ready = new Set<Door>();
    const failed = (error: Error): void => {
      reject(error);
      events.failed(error);
    };
    const message = (payload: Buffer, door: Door): void => {
      switch (kindOf(payload)) {
        case 'ack':
        case 'update':
        case 'over':
          events.seen();
          return;
        case 'state':
          if (payload.includes(ACTIVE) && ready.add(door).size === doors.length) resolve(match);
          return;
        case 'welcome':
          door.welcomed?.(payload);
          return;
        case 'reject':
        case 'error':
          failed(new Error(payload.toString()));
          return;
        default:
          return;
      }
    };
    const players = doors.map((door) =>
      connectPlayer({
        target: door.target ?? target,
        index,
        path: door.path,
        protocols: door.protocols,
        message: (payload) => message(payload, door),
        lost: failed,
      }),
    );
    const match = matchOf(sessionId, players, version);
  });
}

function matchOf(sessionId: string, players: readonly Player[], version: Version): OpenMatch {
  const makeMove = version === 1 ? moveMaker(sessionId) : makeShortMove;
  return {
    move: (ply, position) => players[ply % 2]!.send(makeFrame(makeMove(ply, position))),
    leave: async () => void (await Promise.all(players.map((player) => player.leave()))),
  };
}

function moveMaker(sessionId: string): typeof makeShortMove {
  const start = `{"t":"act","s":"${sessionId}","id":"m`;
  return (ply, position) => `${start}${ply}","action":{"position":${position}}}`;
}

/** The session is the first one of its socket. */
function makeShortMove(ply: number, position: number): string {
  return `[0,"m${ply}",{"position":${position}}]`;
}
