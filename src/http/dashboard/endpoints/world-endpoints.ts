/** Activity in one world of a tenant: overview, requests, timeline, players, board. */

import { Buffer } from 'node:buffer';
import {
  isProblem,
  makeDashboardProblem,
  makeProblem,
  type Problem,
} from '../../../contract/errors.ts';
import type { FieldsOf } from '../../../contract/routes/dashboard-routes.ts';
import { readChecks } from '../../../integrity/checks.ts';
import { makeTime } from '../../../match/frames/frames.ts';
import { makeTimeDigits } from '../../../match/id-text.ts';
import type { Ticket } from '../../../matchmaking/ticket.ts';
import { isSecret } from '../../../runtime/host/fold.ts';
import { isId } from '../../../runtime/ids.ts';
import type { RequestRow } from '../../../store/journal.ts';
import type { LogRange } from '../../../store/store.ts';
import type { Reply } from '../../request/exchange.ts';
import { makeCursor, parseCursor } from '../../request/id-cursor.ts';
import type { DashboardDeps, SiteDeps } from '../deps.ts';
import { ok, type WorldRequest } from '../request/dashboard-request.ts';
import { firstSteps } from './first-steps.ts';
import { timelineOf } from './timeline.ts';
import { verdictRates } from './verdict-rates.ts';

const DAY_MS = 86_400_000;
const PAGE_DEFAULT = 50;
const PLAYERS_MAX = 50;
const TICKETS_MAX = 200;
const VERDICTS_MAX = 200;
/** Pass rates cover this many days, and this many sessions. */
const RATE_DAYS = 30;
const RATE_SESSIONS_MAX = 2_000;
const EVENTS_SHOWN = 15;
const TIMELINE_DEFAULT = 200;

type WorldDeps = Pick<SiteDeps, 'events' | 'clock' | 'webhooks' | 'dashboard'>;

export function makeWorldEndpoints(deps: WorldDeps) {
  const { dashboard, clock } = deps;
  const { journal } = dashboard;
  return {
    overview: (asked: WorldRequest) => overview(deps, asked),
    timeline: (asked: WorldRequest<FieldsOf<'timeline'>>) => timeline(dashboard, asked),
    listRequests: (asked: WorldRequest<FieldsOf<'listRequests'>>) => listRequests(dashboard, asked),
    async findRequest({ params, tenant, world }: WorldRequest): Promise<Reply | Problem> {
      const id = params['request']!;
      const row = isId('req', id) ? await journal.findRequest(tenant.id, world, id) : null;
      return row === null ? makeDashboardProblem('request_not_found') : ok(presentRequest(row));
    },
    findPlayers: (asked: WorldRequest<FieldsOf<'findPlayers'>>) => findPlayers(dashboard, asked),
    async board({ tenant, world }: WorldRequest): Promise<Reply> {
      const tickets = await journal.listOpenTickets(tenant.id, world, TICKETS_MAX);
      return ok({ data: tickets.map(presentTicket) });
    },
    async findTicket({ params, tenant, world }: WorldRequest): Promise<Reply | Problem> {
      const id = params['ticket']!;
      const isGood = isId('tkt', id) || isId('grp', id);
      const ticket = isGood ? await journal.findTicketOrGroup(tenant.id, world, id) : null;
      return ticket === null
        ? makeDashboardProblem('ticket_or_group_not_found')
        : ok(presentTicket(ticket));
    },
    async verdictRates({ tenant, world }: WorldRequest): Promise<Reply> {
      const now = clock.now();
      const from = `ses_${makeTimeDigits(now - RATE_DAYS * DAY_MS)}`;
      const rows = await journal.listChecked(tenant.id, world, from, RATE_SESSIONS_MAX + 1);
      return ok(verdictRates(rows.slice(0, RATE_SESSIONS_MAX), rows.length > RATE_SESSIONS_MAX));
    },
    async listVerdicts({ tenant, world }: WorldRequest): Promise<Reply> {
      const from = `ses_${makeTimeDigits(clock.now() - DAY_MS)}`;
      const rows = await journal.listChecked(tenant.id, world, from, VERDICTS_MAX);
      return ok({
        data: rows.flatMap(({ session, game, createdAt, integrity }) =>
          readChecks(integrity).map(({ verdict }) => ({
            sessionId: session,
            game,
            createdAt: makeTime(createdAt),
            platform: verdict.platform,
            status: verdict.status,
            reasons: verdict.reasons,
          })),
        ),
      });
    },
  };
}

/** By id, in pages. */
async function findPlayers(
  { journal }: DashboardDeps,
  { fields, tenant, world }: WorldRequest<FieldsOf<'findPlayers'>>,
): Promise<Reply | Problem> {
  const { find = '', limit = PLAYERS_MAX, cursor = '' } = fields;
  const after = Buffer.from(cursor, 'base64url').toString();
  // No id contains it, and PostgreSQL rejects it.
  if (after.includes('\0')) return makeProblem('invalid_field', { field: 'cursor' });
  const found = await journal.findPlayers(tenant.id, world, find, limit + 1, after);
  const page = found.slice(0, limit);
  const data = page.map((each) => ({ ...each, createdAt: makeTime(each.createdAt) }));
  const last = found.length > limit ? page.at(-1)! : null;
  return ok({ data, nextCursor: last && Buffer.from(last.playerId).toString('base64url') });
}

async function overview(deps: WorldDeps, asked: WorldRequest): Promise<Reply> {
  const { events } = deps;
  const { tenant, world: mode } = asked;
  const world = { tenant: tenant.id, mode };
  const head = await events.head(world);
  const [steps, kept] = await Promise.all([
    firstSteps(deps, asked),
    events.read(world, Math.max(0, head - EVENTS_SHOWN), EVENTS_SHOWN),
  ]);
  const happened = await events.present(kept);
  return ok({ steps, events: happened.toReversed() });
}

/** The whole log, unless a page is requested. */
const WHOLE = { from: 'after', v: -1, limit: 100_000 } as const;

async function timeline(
  { sessions, games }: DashboardDeps,
  { params, fields, tenant, world }: WorldRequest<FieldsOf<'timeline'>>,
): Promise<Reply | Problem> {
  const id = params['session']!;
  const range = parseRange(fields);
  if (isProblem(range)) return range;
  const part = isId('ses', id) ? await sessions.loadLogPart(id, range) : null;
  const isHere = part !== null && part.row.tenant === tenant.id;
  if (!isHere || (part.row.world ?? part.row.mode) !== world) {
    return makeProblem('session_not_found');
  }
  const { row, first, entries, last } = part;
  const hidesActions = isSecret(games, { row, entries: first === null ? [] : [first] });
  const end = range.from === 'after' ? entries.at(-1)?.v : entries[0]?.v;
  const hasMore = end !== undefined && (range.from === 'after' ? end < last : end > 0);
  return ok({ data: timelineOf(entries, hidesActions), last, hasMore });
}

function parseRange({ after, before, limit }: FieldsOf<'timeline'>): LogRange | Problem {
  if (after !== undefined && before !== undefined) {
    return makeProblem('invalid_field', { field: 'before' });
  }
  if (before !== undefined) return { from: 'before', v: before, limit: limit ?? TIMELINE_DEFAULT };
  if (after !== undefined) return { from: 'after', v: after, limit: limit ?? TIMELINE_DEFAULT };
  // The latest, if only their number is given.
  return limit === undefined ? WHOLE : { from: 'before', v: Number.MAX_SAFE_INTEGER, limit };
}

async function listRequests(
  { journal }: DashboardDeps,
  { fields: asked, tenant, world }: WorldRequest<FieldsOf<'listRequests'>>,
): Promise<Reply | Problem> {
  const before = parseCursor('req', asked.cursor ?? null);
  if (isProblem(before)) return before;
  const limit = asked.limit ?? PAGE_DEFAULT;
  const filter = {
    tenant: tenant.id,
    mode: world,
    errorsOnly: asked.errors === 'true',
    session: asked.sessionId ?? null,
    before,
  };
  const rows = await journal.listRequests({ ...filter, limit: limit + 1 });
  const page = rows.slice(0, limit);
  return ok({
    data: page.map(presentRequest),
    nextCursor: rows.length > limit ? makeCursor(page.at(-1)!.id) : null,
  });
}

function presentRequest(row: RequestRow): object {
  const { id, at, method, route, status, code, tookMs, keyId, session, refusal = null } = row;
  const what = { method, route, status, code, refusal, tookMs, keyId, sessionId: session };
  return { id, at: makeTime(at), ...what };
}

function presentTicket(ticket: Ticket): object {
  const { id, game, capacity, players, status, createdAt } = ticket;
  return {
    ticketId: id,
    groupId: 'group' in ticket ? ticket.group : null,
    game,
    status,
    capacity,
    players,
    sessionId: 'session' in ticket ? ticket.session : null,
    createdAt: makeTime(createdAt),
  };
}
