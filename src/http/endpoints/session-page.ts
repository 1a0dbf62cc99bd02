/** Pages of sessions, newest first: the shared part of every list (rules H9, K3). */

import { isProblem, type Problem } from '../../contract/errors.ts';
import type { Mode } from '../../match/record.ts';
import type { MatchView } from '../../runtime/host/work.ts';
import type { SessionQuery } from '../../runtime/sessions/session-service.ts';
import type { HttpDeps } from '../request/deps.ts';
import type { Caller, Reply } from '../request/exchange.ts';
import { makeReply } from '../request/exchange.ts';
import { makeCursor, parseCursor } from '../request/id-cursor.ts';

/** Entries in a page by default. */
export const PAGE_DEFAULT = 25;

/** The part of a query that selects sessions and the page. */
type PageQuery = Pick<SessionQuery, 'tenant' | 'mode' | 'before' | 'limit' | 'world'>;

interface PageParams {
  readonly mode?: Mode | null | undefined;
  readonly limit?: number | null | undefined;
  readonly cursor?: string | null | undefined;
}

export function parsePage(params: PageParams, caller: Caller): PageQuery | Problem {
  const before = parseCursor('ses', params.cursor ?? null);
  if (isProblem(before)) return before;
  return {
    tenant: caller.tenant.id,
    mode: params.mode ?? caller.key.mode,
    before,
    limit: params.limit ?? PAGE_DEFAULT,
    ...(caller.key.mode === 'test' ? { world: 'test' } : null),
  };
}

/** `present` returns a session's entry, or none. */
export async function replyPage(
  deps: Pick<HttpDeps, 'service'>,
  caller: Caller,
  query: SessionQuery,
  present: (view: MatchView) => readonly object[],
): Promise<Reply> {
  // Rule K3: a world that the key may not see is empty.
  const isVisible = query.mode !== null && caller.modes.includes(query.mode);
  // One more than requested reveals whether there is another page.
  const views = isVisible ? await deps.service.list({ ...query, limit: query.limit + 1 }) : [];
  const page = views.slice(0, query.limit);
  const last = views.length > query.limit ? page.at(-1) : undefined;
  return makeReply(200, {
    data: page.flatMap(present),
    nextCursor: last === undefined ? null : makeCursor(last.row.id),
  });
}
