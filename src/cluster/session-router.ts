/** Finding the node that holds a session, and having something done there: again, until it is. */

import { INTERRUPTION_MS } from '../runtime/lost-time.ts';
import type { Clock } from '../runtime/ports.ts';
import type { Peers } from './peers.ts';

/** Nothing was done, or nobody knows: the session's node is to be looked for again. */
export type Retry = { readonly kind: 'retry' };
export const RETRY: Retry = { kind: 'retry' };

/** Something that can be done where the session is, here or there. */
export interface RoutedRequest<R> {
  readonly session: string;
  /** A session that sleeps is this node's from the moment this is begun. */
  readonly claims: boolean;
  here(): Promise<R>;
  there(owner: string): Promise<R | Retry>;
  /** What it comes to when it could not be done within `giveUpMs`. */
  readonly failed: R;
  readonly giveUpMs: number;
  /** Does anybody still wait for it? */
  isWanted?(): boolean;
}

export interface SessionRouterDeps {
  readonly clock: Clock;
  readonly peers: Pick<Peers, 'ownerOf'>;
  /** As `ownerOf`, of a request that claims. */
  claim(session: string): Promise<string | null>;
  /** Is the session in memory here? */
  has(session: string): boolean;
  /** May this node take sessions? */
  mayTake(): boolean;
  /** Nobody that lives holds it, and it is not to be taken yet: its holder may be about to be back. */
  isLeftAlone(session: string): Promise<boolean>;
  /** The store failed, or took long to answer. */
  onTrouble(): void;
  /** A session is taken from a node that may be alive, and was asked in vain. */
  onTaken(session: string): void;
  /** A request failed, and this is the last reason that was seen. */
  onError(error: unknown): void;
}

export interface SessionRouter {
  route<R extends { readonly kind: string }>(request: RoutedRequest<R>): Promise<R>;
  /** The node leaves: what could not be done by now fails, and so does all that is begun later. */
  close(): void;
}

/** An owner that is asked for so long and not reached is not waited for any more: the log decides. */
const PATIENCE_MS = 2_000;
/** Pauses between looks for the owner of a session, the last one again and again. */
const PAUSES_MS = [0, 20, 50, 100, 200, 400, 800] as const;

/** A commit that collides so often collides with something that stays, e.g. an answer kept elsewhere. */
const UNDONE_MAX = 6;

export function makeSessionRouter(deps: SessionRouterDeps): SessionRouter {
  /** What ends each pause that is under way. */
  const pauses = new Set<() => void>();
  let isClosed = false;
  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const end = (): void => {
        cancel();
        pauses.delete(end);
        resolve();
      };
      const cancel = deps.clock.after(ms, end);
      pauses.add(end);
    });
  return {
    async route(request) {
      const from = deps.clock.now();
      let reason: unknown = null;
      let undone = 0;
      const named: Named = { owner: null, from: 0 };
      for (let tries = 0; !isClosed && isWanted(request); tries++) {
        if (deps.clock.now() - from >= request.giveUpMs) break;
        try {
          const result = await tryOnce(deps, request, named);
          if (isUndone(result)) undone += 1;
          else if (result.kind !== 'retry') return result as typeof request.failed;
          if (undone >= UNDONE_MAX) break;
        } catch (error) {
          reason = error;
          named.owner = null;
          deps.onTrouble();
        }
        if (!isClosed) await pause(PAUSES_MS[Math.min(tries, PAUSES_MS.length - 1)]!);
      }
      if (reason !== null && !isClosed) deps.onError(reason);
      return request.failed;
    },
    close() {
      isClosed = true;
      for (const end of [...pauses]) end();
    },
  };
}

interface Named {
  /** The owner that was named each time of late, and when that began. */
  owner: string | null;
  from: number;
}

async function tryOnce<R>(
  deps: SessionRouterDeps,
  request: RoutedRequest<R>,
  named: Named,
): Promise<R | Retry> {
  const { session, claims, here, there } = request;
  if (deps.has(session)) return here();
  const askedAt = deps.clock.now();
  const owner = await (claims && deps.mayTake()
    ? deps.claim(session)
    : deps.peers.ownerOf(session));
  const isLeft = owner === null && (await deps.isLeftAlone(session));
  const now = deps.clock.now();
  if (now - askedAt >= INTERRUPTION_MS) deps.onTrouble();
  if (owner !== named.owner) Object.assign(named, { owner, from: now });
  if (isLeft || !isWanted(request)) return RETRY;
  if (owner === null) return deps.mayTake() ? here() : RETRY;
  if (now - named.from < PATIENCE_MS || !deps.mayTake()) return there(owner);
  deps.onTaken(session);
  return here();
}

function isWanted({ isWanted: ask }: Pick<RoutedRequest<unknown>, 'isWanted'>): boolean {
  return ask === undefined || ask();
}

function isUndone(result: { readonly kind: string }): boolean {
  return 'isUndone' in result && result.isUndone === true;
}
