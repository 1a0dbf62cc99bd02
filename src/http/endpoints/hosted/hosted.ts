/** Hosted matchmaking (section 5): tickets, groups, the pool. Starting is in `start-match.ts`. */

import { Buffer } from 'node:buffer';
import type { z } from 'zod';
import { isProblem, makeProblem, type Problem } from '../../../contract/errors.ts';
import { readFields } from '../../../contract/fields.ts';
import {
  hostedQuery,
  poolQuery,
  ticketListQuery,
  ticketPlayerRequest,
  ticketQuery,
} from '../../../contract/requests/hosted-requests.ts';
import type { Games } from '../../../games/games.ts';
import type { Verdict } from '../../../integrity/verdict.ts';
import { makeTime } from '../../../match/frames/frames.ts';
import { presentGroup } from '../../../matchmaking/present-group.ts';
import type { Refused, Ticket } from '../../../matchmaking/ticket.ts';
import { isId } from '../../../runtime/ids.ts';
import type { TicketRef, TicketWorld } from '../../../store/tickets.ts';
import type { HttpDeps } from '../../request/deps.ts';
import type { Caller, Endpoint, Endpoints, Input, Keep, Reply } from '../../request/exchange.ts';
import { makeReply } from '../../request/exchange.ts';
import { makeCursor, parseCursor } from '../../request/id-cursor.ts';
import { readGameQuery } from '../../request/query.ts';
import { timeOrNull } from '../../request/session-answer.ts';
import { deviceOf, withCheck } from '../device-check.ts';
import { PAGE_DEFAULT } from '../session-page.ts';
import { hostedProblem } from './hosted-refusals.ts';
import { startMatchEndpoint } from './start-match.ts';

type HostedEndpoints = Pick<
  Endpoints,
  | 'createTicket'
  | 'listTickets'
  | 'getTicket'
  | 'cancelTicket'
  | 'addTicketPlayer'
  | 'removeTicketPlayer'
  | 'promoteTicket'
  | 'listPool'
  | 'cancelGroup'
  | 'startMatch'
>;

const OK = makeReply(200, { result: 'ok' });

export function makeHostedEndpoints(deps: HttpDeps): HostedEndpoints {
  const { hosted, games } = deps;
  return {
    createTicket: createTicketEndpoint(deps),
    listTickets: listTicketsEndpoint(deps),
    getTicket: onTicket(games, async (ref) => {
      const ticket = await hosted.findTicket(ref);
      return ticket === null
        ? makeProblem('ticket_not_found')
        : makeReply(200, presentTicket(ticket));
    }),
    cancelTicket: onTicket(games, async (ref, keep) =>
      answerOk(await hosted.cancelTicket(ref, storedOk(keep)), keep, ref),
    ),
    addTicketPlayer: (input, caller) => {
      const world = readWorld(games, hostedQuery, input, caller);
      if (isProblem(world)) return world;
      const asked = readFields(ticketPlayerRequest, input.fields);
      if (isProblem(asked)) return asked;
      return {
        refusal: null,
        perform: async (keep) => {
          const ref = ticketRef(world, input);
          if (isProblem(ref)) return ref;
          const { playerId } = asked;
          const act = async (verdict: Verdict | null): Promise<Reply | Problem> => {
            const reply =
              verdict === null ? OK : makeReply(200, { ...OK.body, integrity: verdict });
            const kept = keep === null ? null : keep(reply);
            const added = await hosted.addPlayer(ref, playerId, kept, verdict ?? undefined);
            if (added.kind === 'refused') return hostedProblem(added.refusal, ref.game);
            return { ...reply, isStored: keep !== null && added.kind !== 'again' };
          };
          const { game, mode, ticket } = ref;
          const check = {
            device: deviceOf(asked),
            mode,
            bound: { game, player: playerId, ticket },
            asked: ['addTicketPlayer', game, ticket, playerId],
          };
          return withCheck(deps, caller, check, act);
        },
      };
    },
    removeTicketPlayer: onTicket(games, async (ref, keep, { params }) => {
      const removed = await hosted.removePlayer(ref, params['playerId']!, storedOk(keep));
      return answerOk(removed, keep, ref);
    }),
    promoteTicket: onTicket(games, async (ref, keep) => {
      const outcome = await hosted.promote(ref, keep === null ? null : keep(makeReply(200, {})));
      if (outcome.kind === 'refused') return hostedProblem(outcome.refusal, ref.game);
      const reply = makeReply(200, { group: presentGroup(outcome.group) });
      return { ...reply, isStored: keep !== null && outcome.kind === 'promoted' };
    }),
    listPool: listPoolEndpoint(deps),
    cancelGroup: (input, caller) => {
      const world = readWorld(games, hostedQuery, input, caller);
      if (isProblem(world)) return world;
      const group = input.params['groupId']!;
      return {
        refusal: null,
        perform: async (keep) => {
          if (!isId('grp', group))
            return hostedProblem({ code: 'group_not_found', group }, world.game);
          const ref = { ...world, group };
          return answerOk(await hosted.cancelGroup(ref, storedOk(keep)), keep, ref);
        },
      };
    },
    startMatch: startMatchEndpoint(deps),
  };
}

/** The world of a call: the key's own mode only, whatever else the key may see. */
function readWorld(
  games: Games,
  schema: z.ZodObject & z.ZodType<Pick<TicketWorld, 'game'>>,
  { query }: Input,
  { tenant, key }: Caller,
): TicketWorld | Problem {
  const asked = readGameQuery(games, schema, query);
  if (isProblem(asked)) return asked;
  return { tenant: tenant.id, mode: key.mode, game: asked.game };
}

/** An endpoint that is about one ticket and takes no body. */
function onTicket(
  games: Games,
  perform: (ref: TicketRef, keep: Keep, input: Input) => Promise<Reply | Problem>,
): Endpoint {
  return (input, caller) => {
    const world = readWorld(games, hostedQuery, input, caller);
    if (isProblem(world)) return world;
    return {
      refusal: null,
      perform: (keep) => {
        const ref = ticketRef(world, input);
        return isProblem(ref) ? ref : perform(ref, keep, input);
      },
    };
  };
}

/** The ticket in the path. An invalid id is not looked up. */
function ticketRef(world: TicketWorld, { params }: Input): TicketRef | Problem {
  const ticket = params['ticketId']!;
  return isId('tkt', ticket) ? { ...world, ticket } : makeProblem('ticket_not_found');
}

function createTicketEndpoint({ hosted, games }: HttpDeps): Endpoint {
  return ({ query }, { tenant, key, limits }) => {
    const asked = readGameQuery(games, ticketQuery, query);
    if (isProblem(asked)) return asked;
    const { game } = asked;
    const { max } = games.find(game)!.game.seats;
    const capacity = asked.capacity ?? max;
    if (capacity > max) return makeProblem('invalid_field', { field: 'capacity' });
    const openTicketsMax = limits.openTickets;
    const ticket = { tenant: tenant.id, mode: key.mode, game, capacity, openTicketsMax };
    const makeAnswer = (id: string): Reply => makeReply(201, { ticketId: id });
    return {
      refusal: null,
      perform: async (keep) => {
        const row = keep === null ? null : (id: string) => keep(makeAnswer(id));
        const { id, outcome } = await hosted.createTicket(ticket, row);
        if (outcome.kind === 'refused') return hostedProblem(outcome.refusal, game);
        return { ...makeAnswer(id), isStored: keep !== null };
      },
    };
  };
}

function storedOk(keep: Keep) {
  return keep === null ? null : keep(OK);
}

/** A change that was made before has no commit of its own to store the response in. */
function answerOk(
  outcome: { readonly kind: 'removed' | 'cancelled' | 'again' } | Refused,
  keep: Keep,
  { game }: TicketWorld,
): Reply | Problem {
  if (outcome.kind === 'refused') return hostedProblem(outcome.refusal, game);
  return { ...OK, isStored: keep !== null && outcome.kind !== 'again' };
}

function listTicketsEndpoint({ hosted, games }: HttpDeps): Endpoint {
  return ({ query }, { tenant, key }) => {
    const asked = readGameQuery(games, ticketListQuery, query);
    if (isProblem(asked)) return asked;
    const before = parseCursor('tkt', asked.cursor ?? null);
    if (isProblem(before)) return before;
    const limit = asked.limit ?? PAGE_DEFAULT;
    const filter = {
      tenant: tenant.id,
      mode: key.mode,
      game: asked.game,
      before,
      status: asked.status ?? null,
      playerId: asked.player ?? null,
    };
    return {
      refusal: null,
      perform: async () => {
        // One more than requested reveals whether there is another page.
        const found = await hosted.listTickets({ ...filter, limit: limit + 1 });
        const page = found.slice(0, limit);
        const last = found.length > limit ? page.at(-1) : undefined;
        return makeReply(200, {
          data: page.map(presentTicket),
          nextCursor: last === undefined ? null : makeCursor(last.id),
        });
      },
    };
  };
}

function listPoolEndpoint({ hosted, games }: HttpDeps): Endpoint {
  return ({ query }, { tenant, key }) => {
    const asked = readGameQuery(games, poolQuery, query);
    if (isProblem(asked)) return asked;
    const after = parsePlaceCursor(asked.cursor ?? null);
    if (isProblem(after)) return after;
    const limit = asked.limit ?? PAGE_DEFAULT;
    const world = { tenant: tenant.id, mode: key.mode, game: asked.game };
    return {
      refusal: null,
      perform: async () => {
        // One more than requested reveals whether there is another page.
        const found = await hosted.listPool(world, after, limit + 1);
        const page = found.slice(0, limit);
        const last = found.length > limit ? page.at(-1) : undefined;
        return makeReply(200, {
          groups: page.map(presentGroup),
          nextCursor: last === undefined ? null : makePlaceCursor(last.poolPlace),
        });
      },
    };
  };
}

/** A page ends at a position in the pool, which stays valid when earlier groups are started. */
function makePlaceCursor(place: number): string {
  return Buffer.from(`place ${place}`).toString('base64url');
}

function parsePlaceCursor(text: string | null): number | Problem {
  if (text === null) return 0;
  const place = /^place (\d{1,15})$/.exec(Buffer.from(text, 'base64url').toString())?.[1];
  return place === undefined ? makeProblem('invalid_field', { field: 'cursor' }) : Number(place);
}

function presentTicket(ticket: Ticket): object {
  return {
    ticketId: ticket.id,
    game: ticket.game,
    mode: ticket.mode,
    players: ticket.players,
    capacity: ticket.capacity,
    status: ticket.status,
    groupId: ticket.status === 'forming' ? null : ticket.group,
    sessionId: ticket.status === 'started' ? ticket.session : null,
    createdAt: makeTime(ticket.createdAt),
    promotedAt: timeOrNull(ticket.status === 'forming' ? null : ticket.promotedAt),
    endedAt: timeOrNull('endedAt' in ticket ? ticket.endedAt : null),
  };
}
