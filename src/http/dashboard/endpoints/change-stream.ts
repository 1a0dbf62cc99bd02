/** The dashboard's own stream: which lists have changed, so that pages need not poll (rule D11). */

import { makeDashboardProblem, type Problem, retryAfter } from '../../../contract/errors.ts';
import { CHANGE_LISTS } from '../../../runtime/events/changes.ts';
import type { StreamPlace } from '../../../runtime/limits/stream-census.ts';
import { makeStreamReply, type Reply } from '../../request/exchange.ts';
import { makeTextStream } from '../../request/text-stream.ts';
import type { SiteDeps } from '../deps.ts';
import type { WorldRequest } from '../request/dashboard-request.ts';

/** Streams of one member, and of all, over all nodes. No plan limits them. */
const MEMBER_STREAMS_MAX = 12;
const ALL_STREAMS_MAX = 1_000;
const RETRY_MS = 10_000;

type StreamDeps = Pick<SiteDeps, 'changes' | 'streams' | 'events' | 'clock' | 'dashboard'>;

export function makeChangeStream(deps: StreamDeps) {
  return { streamChanges: (asked: WorldRequest) => stream(deps, asked) };
}

async function stream(
  deps: StreamDeps,
  { signedIn, tenant, world: mode, lastEventId }: WorldRequest,
): Promise<Reply | Problem> {
  const { changes, events, clock } = deps;
  const held = await takePlaces(deps, signedIn);
  if (held === null) return makeDashboardProblem('too_many_streams', retryAfter(RETRY_MS));
  const watch = await changes
    .watch({ tenant: tenant.id, mode }, lastEventId !== null)
    .catch((error: unknown) => {
      for (const place of held) place.leave();
      throw error;
    });
  const chunks = makeTextStream(clock, {
    // With an id, so that a browser that reconnects says so.
    first: `retry: 3000\nid: ${clock.now()}\nevent: open\ndata: ${JSON.stringify({ lists: CHANGE_LISTS })}\n\n`,
    heartbeat: ': still here\n\n',
    async next() {
      if (events.isClosed()) return null;
      const lists = await watch.next();
      if (lists.length === 0) return '';
      return `id: ${clock.now()}\nevent: changed\ndata: ${JSON.stringify({ lists })}\n\n`;
    },
    wait: watch.wait,
    opened(end) {
      for (const place of held) place.onEnd(end);
    },
    closed() {
      watch.leave();
      for (const place of held) place.leave();
    },
  });
  return makeStreamReply({
    contentType: 'text/event-stream; charset=utf-8',
    chunks,
    ended: null,
  });
}

/** Null when there are too many. The stream ends with the session, and so with a change of role. */
async function takePlaces(
  { streams, dashboard }: StreamDeps,
  signedIn: WorldRequest['signedIn'],
): Promise<readonly StreamPlace[] | null> {
  const { account, session } = signedIn;
  const mayStay = async () => {
    const alive = await dashboard.accounts.listLogins(signedIn);
    return alive.some(({ id }) => id === session.id);
  };
  const own = await streams.openAs(`dashboard:${account.id}`, MEMBER_STREAMS_MAX, mayStay);
  if (own === null) return null;
  const all = await streams.openAs('dashboard', ALL_STREAMS_MAX, async () => true);
  if (all !== null) return [own, all];
  own.leave();
  return null;
}
