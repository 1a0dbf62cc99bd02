/** The ways in which matches are created: each creates one and hands its players their tokens. */

import type { GameId } from '../../game/src/game.ts';
import type { Chance } from '../kernel/chance.ts';
import type { Feature } from '../plan.ts';
import { makePlayer, type Player } from './player.ts';
import type { Scene } from './scene.ts';
import type { ApiResponse, Backend } from './tenant.ts';

export interface Organizer {
  readonly scene: Scene;
  readonly chance: Chance;
  readonly backend: Backend;
  readonly players: Player[];
  /** An unused name. */
  name(): string;
  /** Players who wait in lobbies, to be added to tickets. */
  readonly lobbies: Player[];
}

const HOSTED = '/matchmaking/hosted';

/** Begins a match in one of the ways the plan allows. */
export async function beginMatch(organizer: Organizer): Promise<void> {
  const { scene, chance } = organizer;
  // Hosted ones take several steps, each of which may fail.
  const ways = (['private', 'rooms', 'queue', 'hosted', 'hosted'] as const).filter(scene.has);
  const isByClock = scene.has('ticks') && chance.hit(0.2);
  const game = isByClock ? 'fight-arena' : chance.pick(scene.plan.games);
  if (scene.has('bots') && chance.hit(0.3)) return beginBot(organizer, game);
  switch (ways.length === 0 ? 'private' : chance.pick<Feature>(ways)) {
    case 'rooms':
      return beginRoom(organizer, game);
    case 'queue':
      return beginQueued(organizer, game);
    case 'hosted':
      return beginHosted(organizer, game);
    default:
      return beginPrivate(organizer, game);
  }
}

function options({ chance, scene }: Organizer): object {
  // Turns that a slow player may miss.
  if (!scene.has('dreamers') && chance.hit(0.5)) return {};
  return {
    turnTimeoutMs: 5_000 + chance.below(20_000),
    disconnectGraceMs: chance.below(20_000),
    ...(chance.hit(0.4)
      ? { clock: { initialMs: 10_000, incrementMs: chance.below(1_000) } }
      : null),
  };
}

function create(
  organizer: Organizer,
  game: GameId,
  matchType: 'private' | 'matchmaking' | 'bot',
  players: readonly string[],
): Promise<ApiResponse | null> {
  const body = {
    game,
    matchType,
    players: players.map((id) => ({ id })),
    options: matchType === 'matchmaking' ? {} : options(organizer),
    metadata: { ask: organizer.name() },
  };
  return organizer.backend.ask({ method: 'POST', path: '/v1/sessions', body });
}

/** Opens the sockets of the players whose tokens are in a response, if any. */
function seat({ scene, chance, players }: Organizer, told: ApiResponse | null): void {
  const tokens = (told?.status === 201 || told?.status === 200) && told.json.tokens;
  for (const [id, token] of Object.entries(tokens || {})) {
    players.push(makePlayer(scene, chance.fork(`player ${id}`), id, token as string));
  }
}

async function beginPrivate(organizer: Organizer, game: GameId): Promise<void> {
  const { scene, chance, backend } = organizer;
  const told = await create(organizer, game, 'private', [organizer.name(), organizer.name()]);
  seat(organizer, told);
  if (told?.status !== 201) return;
  if (scene.has('watchers') && chance.hit(0.5)) await watch(organizer, told.json.sessionId);
  if (!scene.has('ends') || !chance.hit(0.2)) return;
  await scene.sleep(chance.fraction() * 5_000);
  await backend.ask({ method: 'POST', path: `/v1/sessions/${told.json.sessionId}/end` });
}

async function watch({ scene, chance, backend, players, name }: Organizer, session: string) {
  const told = await backend.ask({ method: 'POST', path: `/v1/sessions/${session}/watch` });
  if (told?.status !== 200 && told?.status !== 201) return;
  const id = name();
  const { token } = told.json;
  players.push(makePlayer(scene, chance.fork(`player ${id}`), id, token, true));
}

/** Against a bot of the service: no other player joins. */
async function beginBot(organizer: Organizer, game: GameId): Promise<void> {
  seat(organizer, await create(organizer, game, 'bot', [organizer.name()]));
}

async function beginRoom(organizer: Organizer, game: GameId): Promise<void> {
  const { chance, backend } = organizer;
  const told = await create(organizer, game, 'private', [organizer.name()]);
  seat(organizer, told);
  if (told?.status !== 201) return;
  const { roomCode } = told.json;
  // More players request the seat than there are seats.
  const guests = Array.from({ length: 1 + chance.below(3) }, () => organizer.name());
  await Promise.all(
    guests.map(async (id) => {
      const body = { roomCode, game, player: { id } };
      const joined = await backend.ask({ method: 'POST', path: '/v1/sessions/join', body });
      seat(organizer, joined);
    }),
  );
}

async function beginQueued(organizer: Organizer, game: GameId): Promise<void> {
  const newcomers = Array.from({ length: 2 }, () => organizer.name());
  await Promise.all(
    newcomers.map(async (id) => {
      await organizer.scene.sleep(organizer.chance.fraction() * 2_000);
      seat(organizer, await create(organizer, game, 'matchmaking', [id]));
    }),
  );
}

async function beginHosted(organizer: Organizer, game: GameId): Promise<void> {
  const { scene, chance, backend, lobbies } = organizer;
  while (lobbies.length < 4) await openLobby(organizer);
  const call = (path: string, body: object | null = null, query = '') => {
    const asked = { path: `${HOSTED}${path}?game=${game}${query}`, ...(body && { body }) };
    return backend.ask({ method: 'POST', ...asked });
  };
  const size = 1 + chance.below(2);
  const groups: string[] = [];
  for (let i = 0; i < 2 / size; i++) {
    const ticket = await call('/ticket', null, `&capacity=${size}`);
    if (ticket?.status !== 201) return;
    const { ticketId } = ticket.json;
    const wanted = Array.from({ length: size + chance.below(3) }, () => chance.pick(lobbies).id);
    const adds = wanted.map((playerId) => call(`/ticket/${ticketId}/players`, { playerId }));
    await Promise.all(adds);
    if (chance.hit(0.1)) {
      const path = `${HOSTED}/ticket/${ticketId}/players/${wanted[0]}?game=${game}`;
      await backend.ask({ method: 'DELETE', path });
    }
    const promoted = await call(`/ticket/${ticketId}/promote`);
    if (promoted?.status !== 200) return;
    groups.push(promoted.json.group.id);
  }
  // Parallel starts: a later one gets the first one's result, or an error.
  const starts = Array.from({ length: 1 + chance.below(2) }, () =>
    call('/start-match', { groupIds: chance.hit(0.5) ? groups : [...groups].reverse() }),
  );
  await Promise.all(starts);
  if (chance.hit(0.3)) await scene.sleep(500);
}

async function openLobby({ scene, chance, backend, players, lobbies, name }: Organizer) {
  const id = name();
  const path = `/v1/players/${id}/token`;
  const told = await backend.ask({ method: 'POST', path });
  if (told?.status !== 201) {
    await scene.sleep(1_000);
    return;
  }
  const lobby = makePlayer(scene, chance.fork(`player ${id}`), id, told.json.token);
  lobbies.push(lobby);
  players.push(lobby);
}
