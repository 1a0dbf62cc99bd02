/**
 * Rooms with one free seat that many players request on all nodes at once, and repeats of one
 * request.
 */

import { checkPlaces, checkRepeats, type Told } from '../../src/testing/matches/histories.ts';
import { bestOf, resultOf } from './backend.ts';
import type { Asked } from './tickets.ts';

export interface RoomFigures {
  rounds: number;
  joins: number;
}

const GUESTS = 4;
const SEATS = 2;
const ATTEMPTS_MAX = 40;
const RETRY_MS = 150;
const REPEATS = 3;

export async function playRooms(
  asked: Asked,
  figures: RoomFigures,
  isStopping: () => boolean,
): Promise<void> {
  for (let number = 0; !isStopping(); number++) {
    await playRound(asked, figures, number).catch((error: unknown) => asked.found(String(error)));
    figures.rounds += 1;
  }
}

async function playRound(asked: Asked, figures: RoomFigures, number: number): Promise<void> {
  const { backend, found } = asked;
  const host = `host-${number}`;
  const once = `room-${number}`;
  // The same request at several nodes at the same time: one room.
  const answers = await Promise.all(
    Array.from({ length: REPEATS }, () =>
      backend.insist({
        method: 'POST',
        path: '/v1/sessions',
        body: { game: 'tictactoe', matchType: 'private', players: [{ id: host }] },
        once,
      }),
    ),
  );
  const texts = answers.map(
    ({ status, json }) => `${status} ${json['sessionId']} ${json['roomCode']}`,
  );
  for (const finding of checkRepeats(once, texts)) found(`${finding}: ${texts.join(', ')}`);
  const { json } = answers[0]!;
  const told = new Map<string, Told>([[host, 'ok']]);
  const guests = Array.from({ length: GUESTS }, (_, i) => `guest-${number}-${i}`);
  await Promise.all(
    guests.map((guest) => join(asked, figures, String(json['roomCode']), guest, told)),
  );
  const id = String(json['sessionId']);
  const read = await backend.insist({ method: 'GET', path: `/v1/sessions/${id}` });
  const players = (read.json['players'] as { id: string }[]).map((player) => player.id);
  for (const finding of checkPlaces({ id, capacity: SEATS, asked: told, players })) found(finding);
  if (players.length < SEATS) found(`I8: room ${id} had ${GUESTS} guests and is not full`);
  await backend.insist({ method: 'POST', path: `/v1/sessions/${id}/end` });
}

/** A player who is told that they have joined already had a place, by a lost response. */
async function join(
  { backend }: Asked,
  figures: RoomFigures,
  roomCode: string,
  id: string,
  told: Map<string, Told>,
): Promise<void> {
  for (let tries = 0; tries < ATTEMPTS_MAX; tries++) {
    const body = { roomCode, game: 'tictactoe', player: { id } };
    const answer = await backend.ask({ method: 'POST', path: '/v1/sessions/join', body });
    figures.joins += 1;
    const isIn = answer?.headers.get('x-error-code') === 'player_in_session';
    told.set(id, bestOf(told.get(id), isIn ? 'ok' : resultOf(answer)));
    if (answer !== null && answer.status < 500) return;
    await Bun.sleep(RETRY_MS);
  }
}
