/** Events for tenants: pages, and a stream that resumes where the last one broke off (rule E2). */

import { isProblem, makeProblem, type Problem, retryAfter } from '../../../contract/errors.ts';
import { eventQuery, eventStreamQuery } from '../../../contract/requests/event-requests.ts';
import type { EventWorld, StoredEvent } from '../../../events/event.ts';
import type { EventView } from '../../../events/render.ts';
import type { EventFeed } from '../../../runtime/events/event-feed.ts';
import { isId } from '../../../runtime/ids.ts';
import type { HttpDeps } from '../../request/deps.ts';
import type { Caller, Endpoints, Reply } from '../../request/exchange.ts';
import { makeReply, makeStreamReply } from '../../request/exchange.ts';
import { readQuery } from '../../request/query.ts';
import { makeTextStream } from '../../request/text-stream.ts';
import { PAGE_DEFAULT } from '../session-page.ts';

/** Events examined for one page or chunk, however few match. */
const SCAN_MAX = 1_000;
/** Events in one chunk of a stream. */
const CHUNK_EVENTS = 100;
/** Searching an event takes a second at worst. */
const SEARCH_RETRY_MS = 1_000;
/** Streams end by themselves: a tenant at its limit soon has room again. */
const STREAMS_RETRY_MS = 10_000;

/** The filter of a page or stream. */
interface Wanted {
  readonly world: EventWorld;
  /** Null for all. */
  readonly types: ReadonlySet<string> | null;
  readonly session: string | null;
}

/** The part of the log that was examined. */
interface Scan {
  readonly events: readonly EventView[];
  /** The last event examined, matching or not; null when there was none. */
  readonly last: StoredEvent | null;
  /** Whether the log has more. */
  readonly isCut: boolean;
}

export function makeEventEndpoints(deps: HttpDeps): Pick<Endpoints, 'listEvents' | 'streamEvents'> {
  return {
    listEvents({ query }, caller) {
      const asked = readQuery(eventQuery, query);
      if (isProblem(asked)) return asked;
      // A reader of pages sends both: where it began, and where it is.
      const after = asked.cursor ?? asked.after ?? null;
      const wrong = idProblem(asked.after ?? null, 'after') ?? idProblem(after, 'cursor');
      if (wrong !== null) return wrong;
      const wanted = wantedOf(caller, asked.mode, asked.types, asked.sessionId ?? null);
      const limit = asked.limit ?? PAGE_DEFAULT;
      return { refusal: null, perform: () => list(deps.events, wanted, after, limit) };
    },
    streamEvents({ query, header }, caller) {
      const asked = readQuery(eventStreamQuery, query);
      if (isProblem(asked)) return asked;
      // Sent by browsers when they reconnect.
      const resumed = header('last-event-id');
      const after = resumed || (asked.after ?? null);
      const wrong = idProblem(after, 'after');
      if (wrong !== null) return wrong;
      const wanted = wantedOf(caller, asked.mode, asked.types, null);
      return { refusal: null, perform: () => stream(deps, caller, wanted, after) };
    },
  };
}

function idProblem(id: string | null, field: string): Problem | null {
  return id === null || isId('evt', id) ? null : makeProblem('invalid_field', { field });
}

/** Too many ids are being searched for in the world. */
function searchProblem(): Problem {
  return makeProblem('unavailable', null, retryAfter(SEARCH_RETRY_MS));
}

/** Null when the key may not see that world (rule K3): for it the log is empty. */
function wantedOf(
  caller: Caller,
  asked: 'live' | 'test' | null | undefined,
  types: string | null | undefined,
  session: string | null,
): Wanted | null {
  const mode = asked ?? caller.key.mode;
  if (!caller.modes.includes(mode)) return null;
  return {
    world: { tenant: caller.tenant.id, mode },
    types: types == null ? null : new Set(types.split(',')),
    session,
  };
}

async function list(
  feed: EventFeed,
  wanted: Wanted | null,
  after: string | null,
  limit: number,
): Promise<Reply | Problem> {
  if (wanted === null) return makeReply(200, { data: [], nextCursor: null });
  const place = after === null ? 0 : await feed.placeOf(wanted.world, after);
  if (place === 'busy') return searchProblem();
  const { events, last, isCut } = await scan(feed, wanted, place, limit);
  if (isCut) feed.told(wanted.world, last!);
  return makeReply(200, { data: events, nextCursor: isCut ? last!.id : null });
}

/** Reads the log from a position on until the page is full or the bound is reached. */
async function scan(
  feed: EventFeed,
  { world, types, session }: Wanted,
  afterSeq: number,
  limit: number,
): Promise<Scan> {
  // One more than the limit reveals whether there is more.
  const isPicky = types !== null || session !== null;
  const kept = await feed.read(world, afterSeq, (isPicky ? SCAN_MAX : limit) + 1);
  const found: StoredEvent[] = [];
  let looked = 0;
  for (const event of kept.slice(0, isPicky ? SCAN_MAX : limit)) {
    if (found.length === limit) break;
    looked += 1;
    if (types !== null && !types.has(event.type)) continue;
    if (session !== null && event.session !== session) continue;
    found.push(event);
  }
  return {
    events: await feed.present(found),
    last: kept[looked - 1] ?? null,
    isCut: looked < kept.length,
  };
}

async function stream(
  { events: feed, streams, clock, makeId }: HttpDeps,
  caller: Caller,
  wanted: Wanted | null,
  after: string | null,
): Promise<Reply | Problem> {
  if (wanted === null) return makeProblem('not_found');
  const { world } = wanted;
  const start = after === null ? await feed.head(world) : await feed.placeOf(world, after);
  if (start === 'busy') return searchProblem();
  let place = start;
  // An id that no event has means the beginning of the log, here as in a request.
  const begins = after ?? (await feed.idAt(world, place)) ?? makeId('evt');
  // No await between the check and the stream that is counted.
  const held = await streams.open(world, caller.limits.eventStreams, caller.mayStillAsk);
  if (held === null) {
    return makeProblem('event_streams_exceeded', null, retryAfter(STREAMS_RETRY_MS));
  }
  const chunks = makeTextStream(clock, {
    // Without data: a reader that disconnects before its first event resumes here.
    first: `: here\nid: ${begins}\n\n`,
    heartbeat: ': still here\n\n',
    async next() {
      for (;;) {
        if (feed.isClosed()) return null;
        const head = await feed.head(world);
        const { events, last, isCut } = await scan(feed, wanted, place, CHUNK_EVENTS);
        place = last?.seq ?? place;
        // Up to the former head nothing more is stored: it does not wait for it.
        if (!isCut) place = Math.max(place, head);
        const shown = events.at(-1);
        if (shown !== undefined) {
          feed.told(world, shown);
          return events.map(makeMessage).join('');
        }
        if (!isCut) return '';
      }
    },
    wait: (wake) => feed.wait(world, place, wake),
    opened: held.onEnd,
    closed: held.leave,
  });
  return makeStreamReply({
    contentType: 'text/event-stream; charset=utf-8',
    chunks,
    ended: null,
  });
}

function makeMessage(event: EventView): string {
  return `id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}
