/**
 * Routes a request to the node that owns its session. The router finds the owner, or claims a sleeping session for
 * this node, and retries until the request has been answered.
 */

import type { LocalHost } from '../runtime/host/match-host.ts';
import { UNAVAILABLE } from '../runtime/host/refusals.ts';
import { INTERRUPTION_MS } from '../runtime/host/time/lost-time.ts';
import type { WorkOutcome } from '../runtime/host/work.ts';
import { ESSENTIAL_TICK } from '../runtime/host/work.ts';
import type { Calls } from '../runtime/limits/calls.ts';
import type { Clock } from '../runtime/ports.ts';
import type { MemberStore } from '../store/cluster.ts';
import type { Reply } from './edge.ts';
import { type Members, mayTake } from './membership/members.ts';

/** Nothing was done, or the outcome is unknown: the owner is to be found again. */
export type Retry = { readonly kind: 'retry' };
const RETRY: Retry = { kind: 'retry' };

/** A request for a session's owner. */
export interface RoutedRequest<R> {
  readonly session: string;
  /** A sleeping session is claimed for this node. */
  readonly claims: boolean;
  here(): Promise<R>;
  there(owner: string): Promise<R | Retry>;
  /** The request is given up after this time with `UNAVAILABLE`. Ms. */
  readonly giveUpMs: number;
  /** The caller no longer waits for the result. */
  readonly signal?: AbortSignal;
}

export interface SessionRouter {
  route<R extends { readonly kind: string }>(
    request: RoutedRequest<R>,
  ): Promise<R | typeof UNAVAILABLE>;
  /** May this node serve a session that it does not have in memory? Rejects when the store cannot say. */
  mayServe(session: string): Promise<boolean>;
  /** The node leaves: open and later requests fail. */
  close(): void;
}

export interface SessionRouterDeps {
  readonly node: string;
  readonly local: Pick<LocalHost, 'has' | 'run' | 'seize' | 'probeLater' | 'noteTrouble'>;
  readonly members: Pick<Members, 'lease'>;
  readonly store: Pick<MemberStore, 'holderOf' | 'claim' | 'listToRelease'>;
  readonly clock: Clock;
  /** Claims count as in progress until they are answered. */
  readonly calls: Calls;
  /** This node takes a session from an owner that may be alive, and could not be reached. */
  onSeized(session: string): void;
  /** A request was given up, with the last reason seen. */
  onError(error: unknown): void;
}

/** After this many failures an owner is not waited for any longer: the log decides. */
const PATIENCE_MS = 2_000;
/** Pauses between attempts; the last one repeats. */
const PAUSES_MS = [0, 20, 50, 100, 200, 400, 800] as const;
/** After this many collisions the cause is permanent, e.g. a response stored elsewhere. */
const COLLISIONS_MAX = 6;

export function makeSessionRouter(deps: SessionRouterDeps): SessionRouter {
  const { clock } = deps;
  /** Functions that end the current pauses. */
  const pauses = new Set<() => void>();
  let isClosed = false;
  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const end = (): void => {
        cancel();
        pauses.delete(end);
        resolve();
      };
      const cancel = clock.after(ms, end);
      pauses.add(end);
    });
  return {
    async route(request) {
      const startedAt = clock.now();
      const last: LastOwner = { owner: null, since: 0 };
      let failure: unknown = null;
      let collisions = 0;
      for (let tries = 0; !isClosed && request.signal?.aborted !== true; tries++) {
        if (clock.now() - startedAt >= request.giveUpMs || collisions === COLLISIONS_MAX) break;
        try {
          const result = await attempt(deps, request, last);
          if (isCollision(result)) collisions += 1;
          else if (result.kind !== 'retry')
            return result as Awaited<ReturnType<typeof request.here>>;
        } catch (error) {
          failure = error;
          last.owner = null;
        }
        if (!isClosed) await pause(PAUSES_MS[Math.min(tries, PAUSES_MS.length - 1)]!);
      }
      if (failure !== null && !isClosed) deps.onError(failure);
      return UNAVAILABLE;
    },
    mayServe: async (session) => (await locate(deps, session, false)).kind === 'here',
    close() {
      isClosed = true;
      for (const end of [...pauses]) end();
    },
  };
}

/** The owner that a request was recently sent to, and since when. */
interface LastOwner {
  owner: string | null;
  since: number;
}

async function attempt<R>(
  deps: SessionRouterDeps,
  request: RoutedRequest<R>,
  last: LastOwner,
): Promise<R | Retry> {
  const { local, members, clock } = deps;
  const { session, claims, here, there, signal } = request;
  if (local.has(session)) return here();
  const found = await locate(deps, session, claims).catch((error: unknown) => {
    local.noteTrouble();
    throw error;
  });
  const owner = found.kind === 'there' ? found.owner : null;
  if (owner !== last.owner) Object.assign(last, { owner, since: clock.now() });
  if (signal?.aborted === true || found.kind === 'nowhere') return RETRY;
  if (found.kind === 'here') return here();
  const isPatient = clock.now() - last.since < PATIENCE_MS;
  if (isPatient || !mayTake(members.lease())) return there(found.owner);
  local.seize(session);
  deps.onSeized(session);
  return here();
}

/** Where a session that this node does not have in memory is to be served. */
type Location =
  /** Here: no other node owns it. */
  | { readonly kind: 'here' }
  | { readonly kind: 'there'; readonly owner: string }
  /** Nobody owns it, and this node may not take it now. */
  | { readonly kind: 'nowhere' };

async function locate(
  deps: SessionRouterDeps,
  session: string,
  claims: boolean,
): Promise<Location> {
  const { node, local, members, store, clock } = deps;
  const askedAt = clock.now();
  const holder =
    claims && mayTake(members.lease())
      ? await deps.calls.note(claim(deps, session))
      : await store.holderOf(session);
  const isLeftAlone = holder === null && (await mayBeRegained(deps, session));
  if (clock.now() - askedAt >= INTERRUPTION_MS) local.noteTrouble();
  if (holder !== null && holder !== node) return { kind: 'there', owner: holder };
  return { kind: isLeftAlone || !mayTake(members.lease()) ? 'nowhere' : 'here' };
}

/**
 * Claims a sleeping session and loads it, even if the caller has left: nobody else would wake it, and a drain
 * hands over what is in memory. Returns which live node owns the session.
 */
async function claim(
  { node, local, store }: SessionRouterDeps,
  session: string,
): Promise<string | null> {
  try {
    const { holder, isNew } = await store.claim(node, session);
    if (isNew) local.run(session, ESSENTIAL_TICK);
    return holder;
  } catch (error) {
    // It may have been written all the same.
    local.probeLater(session);
    throw error;
  }
}

/** Does its row name another node, which may be about to regain its lease? */
async function mayBeRegained(
  { node, members, store }: SessionRouterDeps,
  session: string,
): Promise<boolean> {
  return members.lease() === 'regained' && (await store.listToRelease(node, [session])).length > 0;
}

function isCollision(result: { readonly kind: string }): boolean {
  return 'isUndone' in result && result.isUndone === true;
}

/** What an owner's reply means to the request's router. */
export function toResult(reply: Reply): WorkOutcome | Retry {
  const { kind } = reply;
  return kind === 'lost' || kind === 'not_mine' || kind === 'stale' ? RETRY : reply;
}
