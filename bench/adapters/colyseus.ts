/** Plays on Colyseus 0.18: matchmaking over HTTP, then its binary room protocol, without the SDK. */

import type { HttpClient } from '../driving/http-client.ts';
import { makeHttpClient } from '../driving/http-client.ts';
import type { MakeAdapter } from '../driving/match.ts';
import type { Player, PlayerOptions } from '../driving/player.ts';
import { connectPlayer } from '../driving/player.ts';
import { makeFrame } from '../driving/web-socket-frames.ts';

/** A reserved seat, as matchmaking answers it. */
interface Reservation {
  readonly sessionId: string;
  readonly roomId?: string;
  readonly processId?: string;
  readonly room?: { readonly roomId: string; readonly processId: string };
  readonly error?: string;
}

const HTTP_CONNECTIONS = 32;
const CELLS = 9;
/** First byte of a message, @colyseus/core's Protocol; the upper bits carry flags. */
const CODE_MASK = 31;
const JOIN_ROOM = 10;
const ERROR = 11;
const ROOM_DATA = 13;
const ROOM_STATE = 14;
const ROOM_STATE_PATCH = 15;

/** ROOM_DATA with the type "move" and the message `{ i }` as MessagePack. */
const MOVES = Array.from({ length: CELLS }, (_, cell) =>
  makeFrame(Uint8Array.of(ROOM_DATA, 0xa4, ...Buffer.from('move'), 0x81, 0xa1, 0x69, cell)),
);
const JOINED = makeFrame(Uint8Array.of(JOIN_ROOM));

export const makeColyseusAdapter: MakeAdapter = (target) => {
  const http = makeHttpClient(target.address, HTTP_CONNECTIONS);
  return {
    async open(index, _plies, events) {
      const first = await reserve(http, '/matchmake/create/tictactoe');
      const second = await reserve(http, `/matchmake/joinById/${roomOf(first)}`);
      const common = { target, index, seen: events.seen, failed: events.failed };
      // One after the other: seats are taken in the order of joining.
      const players = [await join(first, common), await join(second, common)];
      return {
        move: (ply, position) => players[ply % 2]!.send(MOVES[position]!),
        leave: async () => void (await Promise.all(players.map((player) => player.leave()))),
      };
    },
    framesAwaited: () => 2,
    close: () => http.close(),
  };
};

function roomOf(reservation: Reservation): string {
  return (reservation.roomId ?? reservation.room?.roomId)!;
}

async function reserve(http: HttpClient, path: string): Promise<Reservation> {
  const { status, body } = await http.post(path, {});
  const reservation = JSON.parse(body) as Reservation;
  if (status >= 300 || reservation.error !== undefined) throw new Error(`${path}: ${body}`);
  return reservation;
}

interface Joining extends Pick<PlayerOptions, 'target' | 'index'> {
  /** A patch of the state has arrived, which follows an accepted move. */
  seen(): void;
  failed(error: Error): void;
}

/** Resolves when the player has the whole state. */
function join(seat: Reservation, { target, index, seen, failed }: Joining): Promise<Player> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void => {
      reject(error);
      failed(error);
    };
    const process = seat.processId ?? seat.room?.processId;
    connectPlayer({
      target,
      index,
      path: `/${process}/${roomOf(seat)}?sessionId=${seat.sessionId}`,
      lost: fail,
      message(payload, player) {
        switch (payload[0]! & CODE_MASK) {
          case ROOM_STATE_PATCH:
            return seen();
          case JOIN_ROOM:
            return player.send(JOINED);
          case ROOM_STATE:
            return resolve(player);
          case ROOM_DATA:
          case ERROR:
            return fail(new Error(`the room said: ${payload.toString('latin1')}`));
        }
      },
    });
  });
}
