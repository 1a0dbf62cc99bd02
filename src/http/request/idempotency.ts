/** Repeated requests: the first one has the effect, all get its response (rule H8). */

import { createHash } from 'node:crypto';
import type { Json } from '../../../game/src/game.ts';
import { canonicalJson } from '../../../game/src/json.ts';
import type { AnyErrorCode } from '../../contract/errors.ts';
import { makeProblem, type Problem, retryAfter } from '../../contract/errors.ts';
import type { Route } from '../../contract/routes/routes.ts';
import { makeErasures } from '../../runtime/sessions/erasures.ts';
import { namesPlayer } from '../../store/rows/answer-rows.ts';
import { ANSWERS_KEPT_MS, type IdempotencyId, type IdempotencyRow } from '../../store/store.ts';
import { worldOfAnswer } from '../../store/world.ts';
import type { KeyMode } from '../../tenancy/tenant.ts';
import type { Body } from './body.ts';
import type { HttpDeps } from './deps.ts';
import type { Caller, Keep, Mint, Reply } from './exchange.ts';

const KEY_CHARS_MAX = 255;
/** Longer than any path of a route. */
const PATH_CHARS_MAX = 200;
/** Requests are short: a client that repeats too early retries in a second. */
const IN_PROGRESS_RETRY_MS = 1_000;

const REPLAYED = { 'idempotent-replayed': 'true' };

/** Is it a stored response? */
export function isReplayed({ headers }: Reply): boolean {
  return headers !== null && 'idempotent-replayed' in headers;
}

/** Stored with a body: the players to mint tokens for, or the kind of refusal. */
type StoredNote = Mint | { readonly kind: 'refusal'; readonly code: AnyErrorCode };

/** The first request with an idempotency key. */
export interface FirstRequest {
  readonly keep: NonNullable<Keep>;
  /**
   * Stores the outcome, unless it was stored with its effect or must not be stored. Returns the valid outcome:
   * with several nodes another may have been first.
   */
  settle(outcome: Reply | Problem): Promise<Reply | Problem>;
  /** Another node's response; null when it is no longer stored. */
  answerOfOther(): Promise<Reply | Problem | null>;
  /** Admits repeats. To be called in any case. */
  leave(): void;
}

export type Entry =
  | { readonly kind: 'first'; readonly first: FirstRequest }
  | { readonly kind: 'answered'; readonly outcome: Reply | Problem };

export interface RepeatedRequest {
  readonly caller: Caller;
  readonly route: Pick<Route, 'method' | 'path'>;
  /** As sent, percent-encoded. */
  readonly pathname: string;
  /** The query with its question mark, or empty. */
  readonly search: string;
  readonly body: Body;
  readonly key: string;
}

export interface Idempotency {
  enter(request: RepeatedRequest): Promise<Entry>;
  /** Erases a player of a tenant: requests in progress store no response of these worlds that names them (rule R2). */
  erase<T>(
    tenant: string,
    worlds: readonly KeyMode[],
    playerId: string,
    act: () => Promise<T>,
  ): Promise<T>;
}

interface ErasedPlayer {
  readonly worlds: readonly KeyMode[];
  readonly playerId: string;
}

/** First requests in progress, and the players of their tenants erased meanwhile. */
interface UnderWay {
  begin(tenant: string): { readonly erased: readonly ErasedPlayer[]; end(): void };
  /** Stores a response: before an erasure, or after it. */
  keep<T>(tenant: string, act: () => Promise<T>): Promise<T>;
  erase: Idempotency['erase'];
}

type IdempotencyDeps = Pick<HttpDeps, 'store' | 'clock'>;

export function makeIdempotency(deps: IdempotencyDeps): Idempotency {
  const inFlight = new Set<string>();
  const underWay = makeUnderWay();
  return {
    erase: underWay.erase,
    async enter(request) {
      const { key } = request;
      if (key.length === 0 || key.length > KEY_CHARS_MAX) {
        return answered(makeProblem('invalid_field', { field: 'Idempotency-Key' }));
      }
      const id = makeId(request);
      const name = JSON.stringify(Object.values(id));
      if (inFlight.has(name)) {
        const headers = retryAfter(IN_PROGRESS_RETRY_MS);
        return answered(makeProblem('idempotency_in_progress', null, headers));
      }
      inFlight.add(name);
      const leave = (): void => void inFlight.delete(name);
      const bodyHash = hashBody(request);
      try {
        const row = await deps.store.findIdempotent(id, deps.clock.now());
        if (row === null)
          return { kind: 'first', first: makeFirst(deps, underWay, id, bodyHash, leave) };
        leave();
        return answered(restore(row, bodyHash));
      } catch (error) {
        leave();
        throw error;
      }
    },
  };
}

function makeUnderWay(): UnderWay {
  const begun = new Set<{ readonly tenant: string; readonly erased: ErasedPlayer[] }>();
  const erasures = makeErasures();
  return {
    begin(tenant) {
      const one = { tenant, erased: [] };
      begun.add(one);
      return { erased: one.erased, end: () => void begun.delete(one) };
    },
    keep: erasures.name,
    erase: (tenant, worlds, playerId, act) =>
      erasures.erase(tenant, async () => {
        try {
          return await act();
        } finally {
          // Also if the outcome is unknown.
          for (const one of begun) {
            if (one.tenant === tenant) one.erased.push({ worlds, playerId });
          }
        }
      }),
  };
}

function answered(outcome: Reply | Problem): Entry {
  return { kind: 'answered', outcome };
}

/**
 * Paths that name a player are stored as digests: an erased player is named nowhere (rule R2). So are paths too
 * long for the store's index. The programs of two bots use the same path, and each has its own keys.
 */
function makeId({ caller, route, pathname, key }: RepeatedRequest): IdempotencyId {
  const isDigest = route.path.includes(':playerId') || pathname.length > PATH_CHARS_MAX;
  const named = isDigest ? `${route.path}#${sha256(pathname)}` : pathname;
  const path = caller.bot === undefined ? named : `${named}#${sha256(caller.bot)}`;
  return { tenant: caller.tenant.id, mode: caller.key.mode, method: route.method, path, key };
}

/**
 * Two bodies are equal when they mean the same: spaces and the order of fields do not matter, and a missing body
 * equals an empty one.
 */
function hashBody({ body, search }: RepeatedRequest): string {
  const text = body.absent ? '{}' : canonicalJson(body.json as Json);
  return sha256(`${search}\n${text}`);
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function makeFirst(
  deps: IdempotencyDeps,
  underWay: UnderWay,
  id: IdempotencyId,
  bodyHash: string,
  leave: () => void,
): FirstRequest {
  const { erased, end } = underWay.begin(id.tenant);
  const times = () => {
    const keptAt = deps.clock.now();
    return { keptAt, expiresAt: keptAt + ANSWERS_KEPT_MS };
  };
  const makeRow = (status: number, body: object, note: StoredNote | null): IdempotencyRow => ({
    ...id,
    bodyHash,
    status,
    body: JSON.stringify(body),
    mint: note === null ? null : JSON.stringify(note),
    ...times(),
  });
  const toKeep = (outcome: Reply | Problem): IdempotencyRow | null => {
    if (!('problem' in outcome)) {
      return outcome.isStored ? null : makeRow(outcome.status, outcome.body, outcome.mint);
    }
    const { status, message, problem: code } = outcome;
    if (!isStorable(status)) return null;
    return makeRow(status, { error: message }, { kind: 'refusal', code });
  };
  const findStored = () => deps.store.findIdempotent(id, deps.clock.now());
  /** False when another response is stored. If its player was erased meanwhile, it is not stored. */
  const keepIt = (row: IdempotencyRow) =>
    underWay.keep(
      id.tenant,
      async () =>
        erased.some(
          ({ worlds, playerId }) =>
            worlds.includes(worldOfAnswer(row)) && namesPlayer(row, playerId),
        ) ||
        // The time lets an erasure know whether it may have missed the row.
        deps.store.keepIdempotent({ ...row, ...times() }),
    );
  return {
    keep: ({ status, body, mint }) => makeRow(status, body, mint),
    async settle(outcome) {
      const row = toKeep(outcome);
      if (row === null || (await keepIt(row))) return outcome;
      const kept = await findStored();
      return kept === null || isSame(kept, row) ? outcome : restore(kept, bodyHash);
    },
    async answerOfOther() {
      const kept = await findStored();
      return kept && restore(kept, bodyHash);
    },
    leave() {
      end();
      leave();
    },
  };
}

function isSame(a: IdempotencyRow, b: IdempotencyRow): boolean {
  return a.status === b.status && a.body === b.body && a.bodyHash === b.bodyHash;
}

/** Refusals that a repeat would get again; all others may be retried with the same key. */
function isStorable(status: number): boolean {
  return status === 403 || status === 404 || status === 409;
}

/** The stored response, with new tokens. */
function restore(row: IdempotencyRow, bodyHash: string): Reply | Problem {
  if (row.bodyHash !== bodyHash) return makeProblem('idempotency_key_reused');
  const { status } = row;
  const body = JSON.parse(row.body) as object;
  const note = row.mint === null ? null : (JSON.parse(row.mint) as StoredNote);
  if (note?.kind === 'refusal') {
    const { error } = body as { error: string };
    return { problem: note.code, status, message: error, headers: REPLAYED };
  }
  return { status, body, mint: note, headers: REPLAYED, isStored: true, stream: null };
}
