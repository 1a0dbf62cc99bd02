/** Players: their lobby tokens, and their stored data (rules P1, R2). */

import { isProblem, makeProblem, type Problem } from '../../contract/errors.ts';
import { readFields } from '../../contract/fields.ts';
import { lobbyRequest } from '../../contract/requests/requests.ts';
import { readChecks } from '../../integrity/checks.ts';
import type { Verdict } from '../../integrity/verdict.ts';
import { makeTime } from '../../match/frames/frames.ts';
import type { Ticket } from '../../matchmaking/ticket.ts';
import { TOKEN_LIFE_S } from '../../runtime/access/tokens.ts';
import type { ExportedSession } from '../../runtime/sessions/session-service.ts';
import type { PlayerTickets } from '../../store/tickets.ts';
import { WORLDS } from '../../store/world.ts';
import type { KeyMode } from '../../tenancy/tenant.ts';
import { memberAudit } from '../request/actor.ts';
import type { HttpDeps } from '../request/deps.ts';
import type { Caller, Endpoints, Keep, Reply } from '../request/exchange.ts';
import { makeReply, makeStreamReply } from '../request/exchange.ts';
import type { Idempotency } from '../request/idempotency.ts';
import { makeSocketUrl } from '../request/mint.ts';
import { JSON_TYPE } from '../request/response.ts';
import { parseOrNull, timeOrNull } from '../request/session-answer.ts';
import { makeTextBody } from '../request/text-stream.ts';
import { deviceOf, withCheck } from './device-check.ts';
import { presentStanding } from './ratings.ts';
import { refusalProblem } from './refusals.ts';

/** Tickets of an export that are read concurrently. */
const TICKETS_AT_ONCE = 500;

type PlayerEndpoints = Pick<Endpoints, 'makeLobbyToken' | 'erasePlayer' | 'exportPlayer'>;

/** The stored responses: none may name an erased player. */
type Answers = Pick<Idempotency, 'erase'>;

export function makePlayerEndpoints(deps: HttpDeps, answers: Answers): PlayerEndpoints {
  return {
    makeLobbyToken: ({ params, fields }, caller) => {
      const asked = readFields(lobbyRequest, fields);
      if (isProblem(asked)) return asked;
      const { mode } = caller.key;
      const id = params['playerId']!;
      const displayName = asked.displayName || null;
      const act = async (verdict: Verdict | null, keep: Keep): Promise<Reply> => {
        const body = { token: '', expiresIn: TOKEN_LIFE_S, socketUrl: makeSocketUrl(deps) };
        const mint = { kind: 'lobby', mode, player: id } as const;
        const reply = makeReply(201, { ...body, ...(verdict && { integrity: verdict }) }, mint);
        const player = { id, displayName, ...(verdict && { check: verdict }) };
        const kept = keep === null ? null : keep(reply);
        const isNew = await deps.service.namePlayer(caller.tenant.id, mode, player, kept);
        return { ...reply, isStored: isNew && kept !== null };
      };
      const check = {
        device: deviceOf(asked),
        mode,
        bound: { player: id },
        asked: ['makeLobbyToken', id, displayName],
      };
      return {
        refusal: null,
        perform: (keep) => withCheck(deps, caller, check, (verdict) => act(verdict, keep)),
      };
    },
    erasePlayer: ({ params }, caller) => ({
      refusal: null,
      perform: () => erase(deps, answers, caller, params['playerId']!),
    }),
    exportPlayer: ({ params }, caller) => ({
      refusal: null,
      perform: () => exportPlayer(deps, caller, params['playerId']!),
    }),
  };
}

async function erase(
  deps: HttpDeps,
  answers: Answers,
  caller: Caller,
  playerId: string,
): Promise<Reply | Problem> {
  const tenant = caller.tenant.id;
  const worlds = worldsOf(caller);
  if (await isBot(deps, tenant, worlds, playerId)) return makeProblem('player_not_found');
  const looked = await deps.service.forgetAnswersOf(tenant, worlds, playerId);
  // The calls before may have taken long: the id may be a bot's by now.
  if (await isBot(deps, tenant, worlds, playerId)) return makeProblem('player_not_found');
  const audit = memberAudit(caller, 'player.erased', 'player', deps.clock.now());
  const erased = await answers.erase(tenant, worlds, playerId, () =>
    deps.service.erasePlayer(tenant, worlds, playerId, { looked, audit }),
  );
  if (!erased.ok) return refusalProblem(erased.refusal, deps.clock.now());
  return makeReply(200, { erased: true });
}

/** A live key erases and exports the player in both worlds: it is one person (rule K3). */
function worldsOf({ modes }: Caller): readonly KeyMode[] {
  return WORLDS.filter((world) => modes.includes(world));
}

/**
 * A bot is not a person: `DELETE /v1/bots/:botId` removes it, and it finishes its matches. A player
 * with the same id can still be erased (rules B1, R2).
 */
async function isBot(
  deps: HttpDeps,
  tenant: string,
  worlds: readonly KeyMode[],
  playerId: string,
): Promise<boolean> {
  if (!(await deps.bots.isOnlyBot(tenant, worlds, playerId))) return false;
  return !(await isKnown(deps, tenant, worlds, playerId));
}

/** Is a player connected, waiting or rated in one of the worlds? */
async function isKnown(
  deps: HttpDeps,
  tenant: string,
  worlds: readonly KeyMode[],
  playerId: string,
): Promise<boolean> {
  for (const world of worlds) if (await deps.isConnected(tenant, world, playerId)) return true;
  const [tickets, standings] = await Promise.all([
    deps.hosted.listTicketsOf({ tenant, worlds, playerId }, null, 1),
    deps.ratings.listStandings(tenant, playerId),
  ]);
  return tickets.length > 0 || standings.some(({ mode }) => worlds.some((world) => world === mode));
}

async function exportPlayer(
  deps: HttpDeps,
  caller: Caller,
  playerId: string,
): Promise<Reply | Problem> {
  const held = await deps.service.exportPlayer(caller.tenant.id, playerId, caller.modes);
  if (!held.ok) return refusalProblem(held.refusal, deps.clock.now());
  const { players, checks, sessions } = held.value;
  const first = await sessions.next();
  const { tenant, modes } = caller;
  const tickets = ticketsOf(deps, { tenant: tenant.id, worlds: worldsOf(caller), playerId });
  const [firstTicket, standings] = await Promise.all([
    tickets.next(),
    deps.ratings.listStandings(tenant.id, playerId),
  ]);
  const visibleStandings = standings.filter(({ mode }) => modes.includes(mode));
  const names = players.map(({ world: mode, displayName, createdAt }) => {
    return { mode, displayName, createdAt: makeTime(createdAt) };
  });
  const { displayName, createdAt } = names[0]!;
  const head = {
    player: { id: playerId, displayName, createdAt },
    names,
    ratings: visibleStandings.map(({ mode, game, ...standing }) => {
      return { game, mode, ...presentStanding(standing, deps.clock.now()) };
    }),
    integrity: checks.map(({ mode, verdict }) => ({ mode, ...verdict })),
  };
  const text = writeExport(head, [
    ['sessions', writeItems(first, sessions, presentExported)],
    ['tickets', writeItems(firstTicket, tickets, (each) => presentExportedTicket(each, playerId))],
  ]);
  const body = makeTextBody(text, (err) => deps.log.error({ err }, 'export broke off'));
  return makeStreamReply({ contentType: JSON_TYPE, ...body });
}

async function* ticketsOf(deps: HttpDeps, of: PlayerTickets): AsyncGenerator<Ticket> {
  let after: Ticket | null = null;
  for (;;) {
    const page: readonly Ticket[] = await deps.hosted.listTicketsOf(of, after, TICKETS_AT_ONCE);
    yield* page;
    if (page.length < TICKETS_AT_ONCE) return;
    after = page.at(-1)!;
  }
}

/** One JSON object, whose lists are never all in memory. */
async function* writeExport(
  head: object,
  lists: readonly (readonly [name: string, items: AsyncGenerator<string>])[],
): AsyncGenerator<string> {
  yield JSON.stringify(head).slice(0, -1);
  for (const [name, items] of lists) {
    yield `,"${name}":[`;
    yield* items;
    yield ']';
  }
  yield '}';
}

/** `first` was read before the response began, so that a store failure is an error of its own. */
async function* writeItems<Item>(
  first: IteratorResult<Item>,
  rest: AsyncGenerator<Item>,
  present: (item: Item) => object,
): AsyncGenerator<string> {
  if (first.done !== true) yield JSON.stringify(present(first.value));
  for await (const item of rest) yield `,${JSON.stringify(present(item))}`;
}

/** Without the other players. */
function presentExportedTicket(ticket: Ticket, playerId: string): object {
  const { id, game, mode, status, createdAt } = ticket;
  const sessionId = status === 'started' ? ticket.session : null;
  const integrity = ticket.players.find((player) => player.id === playerId)?.integrity;
  return {
    ticketId: id,
    game,
    mode,
    status,
    sessionId,
    createdAt: makeTime(createdAt),
    ...(integrity && { integrity }),
  };
}

function presentExported({ row, seat, rating, replay }: ExportedSession): object {
  return {
    sessionId: row.id,
    seat,
    game: row.game,
    mode: row.mode,
    matchType: row.matchType,
    variant: row.variant,
    status: row.status,
    metadata: parseOrNull(row.metadata),
    createdAt: makeTime(row.createdAt),
    startedAt: timeOrNull(row.startedAt),
    endedAt: timeOrNull(row.endedAt),
    integrity: readChecks(row.integrity).find((check) => check.seat === seat)?.verdict ?? null,
    rating: rating && { before: rating[0], after: rating[1] },
    replay,
  };
}
