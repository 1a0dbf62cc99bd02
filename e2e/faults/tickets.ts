/**
 * Hosted matchmaking, requested on all nodes at once: tickets that are too small, groups that
 * overlap.
 */

import {
  checkGroup,
  checkOneTicket,
  checkPlaces,
  type Finding,
  type Told,
} from '../../src/testing/matches/histories.ts';
import { type Answer, type Backend, bestOf, resultOf } from './backend.ts';
import { type Lobby, openLobby } from './lobby.ts';

export interface Asked {
  readonly backend: Backend;
  /** The address of a player's next socket. */
  url(): string;
  found(finding: Finding | string, evidence?: object): void;
}

export interface TicketFigures {
  rounds: number;
  adds: number;
  starts: number;
  /** Places that were given; each is one of a ticket's. */
  seated: number;
}

const HOSTED = '/matchmaking/hosted';
const GAME = 'tictactoe';
/** Players who all want each place. */
const PLAYERS = 4;
/** Two tickets for one player each make a match. */
const TICKETS = 3;
const ATTEMPTS_MAX = 40;
const RETRY_MS = 150;

/** Rounds until `isStopping`. */
export async function playTickets(
  asked: Asked,
  figures: TicketFigures,
  isStopping: () => boolean,
): Promise<void> {
  for (let number = 0; !isStopping(); number++) {
    await playRound(asked, figures, number).catch((error: unknown) => asked.found(String(error)));
    figures.rounds += 1;
  }
}

async function playRound(asked: Asked, figures: TicketFigures, number: number): Promise<void> {
  const players = Array.from({ length: PLAYERS }, (_, i) => `seeker-${number}-${i}`);
  const lobbies = await Promise.all(players.map((player) => openLobby(asked, player)));
  try {
    const tickets = await Promise.all(
      Array.from({ length: TICKETS }, (_, i) => makeTicket(asked, `ticket-${number}-${i}`)),
    );
    const told = tickets.map(() => new Map<string, Told>());
    await Promise.all(
      players.flatMap((player) =>
        tickets.map((ticket, i) => add(asked, figures, ticket, player, told[i]!, lobbies)),
      ),
    );
    await checkAdded(asked, figures, tickets, told);
    await startOverlapping(asked, figures, tickets);
  } finally {
    for (const lobby of lobbies) lobby.close();
  }
}

async function makeTicket({ backend }: Asked, once: string): Promise<string> {
  const path = `${HOSTED}/ticket?game=${GAME}&capacity=1`;
  const { status, json } = await backend.insist({ method: 'POST', path, once });
  if (status !== 201) throw new Error(`no ticket: ${status} ${json['error']}`);
  return String(json['ticketId']);
}

/** Repeats until an answer is success, or a permanent refusal. */
async function add(
  { backend }: Asked,
  figures: TicketFigures,
  ticket: string,
  playerId: string,
  told: Map<string, Told>,
  lobbies: readonly Lobby[],
): Promise<void> {
  const path = `${HOSTED}/ticket/${ticket}/players?game=${GAME}`;
  for (let tries = 0; tries < ATTEMPTS_MAX; tries++) {
    const answer = await backend.ask({ method: 'POST', path, body: { playerId } });
    figures.adds += 1;
    told.set(playerId, bestOf(told.get(playerId), resultOf(answer)));
    const code = answer?.headers.get('x-error-code');
    if (answer !== null && answer.status < 500 && code !== 'player_not_connected') return;
    await Bun.sleep(RETRY_MS);
    await Promise.all(lobbies.map((lobby) => lobby.connected()));
  }
}

interface TicketNow {
  readonly id: string;
  readonly players: readonly string[];
  readonly session: string | null;
}

async function readTicket({ backend }: Asked, id: string): Promise<TicketNow> {
  const path = `${HOSTED}/ticket/${id}?game=${GAME}`;
  const { status, json } = await backend.insist({ method: 'GET', path });
  if (status !== 200) throw new Error(`ticket ${id} is gone: ${status}`);
  const players = (json['players'] as { id: string }[]).map((player) => player.id);
  return { id, players, session: json['sessionId'] as string | null };
}

async function checkAdded(
  asked: Asked,
  figures: TicketFigures,
  tickets: readonly string[],
  told: readonly ReadonlyMap<string, Told>[],
): Promise<void> {
  const now = await Promise.all(tickets.map((ticket) => readTicket(asked, ticket)));
  for (const [i, { id, players }] of now.entries()) {
    figures.seated += players.length;
    const findings = checkPlaces({ id, capacity: 1, asked: told[i]!, players });
    for (const finding of findings) asked.found(finding);
  }
  for (const finding of checkOneTicket(now)) asked.found(finding);
}

/** Every two of the groups are started at the same time, twice; at most one start can succeed. */
async function startOverlapping(
  asked: Asked,
  figures: TicketFigures,
  tickets: readonly string[],
): Promise<void> {
  const groups = await Promise.all(tickets.map((ticket) => promote(asked, ticket)));
  const sessionsOf = new Map(groups.map((group) => [group, new Set<string>()]));
  const pairs = groups.flatMap((group, i) => groups.slice(i + 1).map((other) => [group, other]));
  await Promise.all(
    [...pairs, ...pairs].map(async (groupIds) => {
      const path = `${HOSTED}/start-match?game=${GAME}`;
      const answer = await asked.backend.insist({ method: 'POST', path, body: { groupIds } });
      figures.starts += 1;
      if (answer.status < 300) {
        for (const group of groupIds) sessionsOf.get(group)!.add(sessionOf(answer));
      }
    }),
  );
  const now = await Promise.all(tickets.map((ticket) => readTicket(asked, ticket)));
  for (const [i, group] of groups.entries()) {
    const { session: kept } = now[i]!;
    const history = { group, sessions: sessionsOf.get(group)!, kept };
    for (const finding of checkGroup(history)) asked.found(finding);
  }
  await clearAway(asked, groups, new Set(now.flatMap(({ session }) => session ?? [])));
}

async function promote({ backend, found }: Asked, ticket: string): Promise<string> {
  const path = `${HOSTED}/ticket/${ticket}/promote?game=${GAME}`;
  const answers = await Promise.all([1, 2].map(() => backend.insist({ method: 'POST', path })));
  const ids = new Set(answers.map(({ json }) => (json['group'] as { id: string } | undefined)?.id));
  const [id] = ids;
  if (ids.size > 1) found(`I10: ticket ${ticket} was promoted to two groups`);
  if (id === undefined) throw new Error(`ticket ${ticket} was not promoted`);
  return id;
}

function sessionOf({ json }: Answer): string {
  return String(json['sessionId']);
}

/** No player plays these matches; remaining groups would fill the tenant's plan. */
async function clearAway(
  { backend, found }: Asked,
  groups: readonly string[],
  sessions: ReadonlySet<string>,
): Promise<void> {
  // Of three groups at most two are in one match, and the third in none.
  if (sessions.size > 1) found(`I10: three groups of one player made ${sessions.size} matches`);
  for (const session of sessions) {
    await backend.insist({ method: 'POST', path: `/v1/sessions/${session}/end` });
  }
  for (const group of groups) {
    await backend.insist({ method: 'DELETE', path: `${HOSTED}/groups/${group}?game=${GAME}` });
  }
}
