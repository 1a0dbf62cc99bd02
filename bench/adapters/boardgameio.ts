/** Plays on boardgame.io 0.50: its lobby over HTTP, then Socket.IO by hand (Engine.IO 4). */

import type { HttpClient } from '../driving/http-client.ts';
import { makeHttpClient } from '../driving/http-client.ts';
import type { MakeAdapter, MatchEvents, Target } from '../driving/match.ts';
import type { Player } from '../driving/player.ts';
import { connectPlayer } from '../driving/player.ts';
import { makeFrame } from '../driving/web-socket-frames.ts';

const HTTP_CONNECTIONS = 32;
const GAME = 'tic-tac-toe';
/** Engine.IO packets. */
const OPEN = 0x30;
const PING = 0x32;
const PONG = makeFrame('3');
/** Socket.IO: connect to the game's namespace, and the prefixes of its events and refusals. */
const CONNECT = `40/${GAME},`;
const EVENT = `42/${GAME},`;
const REFUSED = `44/${GAME},`;
const UPDATE = Buffer.from(`${EVENT}["update"`);
const SYNC = `${EVENT}["sync"`;

/** A player of a match: the lobby's number and secret. */
interface Seat {
  readonly matchId: string;
  readonly seat: number;
  readonly credentials: string;
}

export const makeBoardgameIoAdapter: MakeAdapter = (target) => {
  const http = makeHttpClient(target.address, HTTP_CONNECTIONS);
  return {
    async open(index, _plies, events) {
      const seats = await takeSeats(http);
      const players = [
        await join(target, index, seats[0], events),
        await join(target, index, seats[1], events),
      ];
      return {
        move: (ply, position) => players[ply % 2]!.send(makeMove(seats[ply % 2]!, ply, position)),
        leave: async () => void (await Promise.all(players.map((player) => player.leave()))),
      };
    },
    framesAwaited: () => 2,
    close: () => http.close(),
  };
};

async function takeSeats(http: HttpClient): Promise<[Seat, Seat]> {
  const { matchID } = await call<{ matchID: string }>(http, 'create', { numPlayers: 2 });
  const take = async (seat: number): Promise<Seat> => {
    const body = { playerID: String(seat), playerName: `p${seat}` };
    const path = `${matchID}/join`;
    const { playerCredentials } = await call<{ playerCredentials: string }>(http, path, body);
    return { matchId: matchID, seat, credentials: playerCredentials };
  };
  return [await take(0), await take(1)];
}

async function call<T>(http: HttpClient, path: string, body: unknown): Promise<T> {
  const answer = await http.post(`/games/${GAME}/${path}`, body);
  if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.body}`);
  return JSON.parse(answer.body) as T;
}

/** The state's id counts the moves made, so it equals the ply. */
function makeMove({ matchId, seat, credentials }: Seat, ply: number, cell: number): Uint8Array {
  const payload = `{"type":"clickCell","args":[${cell}],"playerID":"${seat}","credentials":"${credentials}"}`;
  const action = `{"type":"MAKE_MOVE","payload":${payload}}`;
  return makeFrame(`${EVENT}["update",${action},${ply},"${matchId}","${seat}"]`);
}

/** Resolves when the player has the whole state. */
function join(target: Target, index: number, seat: Seat, events: MatchEvents): Promise<Player> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void => {
      reject(error);
      events.failed(error);
    };
    connectPlayer({
      target,
      index,
      path: '/socket.io/?EIO=4&transport=websocket',
      lost: fail,
      message(payload, player) {
        if (payload.length > UPDATE.length && UPDATE.equals(payload.subarray(0, UPDATE.length))) {
          events.seen();
          return;
        }
        if (payload[0] === OPEN) return player.send(makeFrame(CONNECT));
        if (payload[0] === PING) return player.send(PONG);
        const text = payload.toString();
        if (text.startsWith(CONNECT)) player.send(makeSync(seat));
        else if (text.startsWith(SYNC)) resolve(player);
        else if (text.startsWith(REFUSED)) fail(new Error(text));
      },
    });
  });
}

function makeSync({ matchId, seat, credentials }: Seat): Uint8Array {
  return makeFrame(`${EVENT}${JSON.stringify(['sync', matchId, String(seat), credentials, 2])}`);
}
