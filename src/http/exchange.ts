/** One request and what is known of it while it is answered. */

import type { GameId } from '../../game/src/game.ts';
import type { Problem } from '../contract/errors.ts';
import type { KeyOperationId } from '../contract/routes.ts';
import type { Mode } from '../match/record.ts';
import type { Calls } from '../runtime/calls.ts';
import type { ActiveKey } from '../runtime/key-ring.ts';
import type { OpenSpan } from '../runtime/tracing.ts';
import type { IdempotencyRow } from '../store/store.ts';
import type { KeyRefusal } from '../tenancy/key-check.ts';
import type { WindowTake } from '../tenancy/limiter.ts';
import type { ApiKey, Tenant, TenantLimits } from '../tenancy/tenant.ts';
import type { Peer } from './client-address.ts';
import type { HttpDeps } from './deps.ts';

/** Filled in as the checks pass. */
export interface Exchange {
  readonly deps: HttpDeps;
  readonly request: Request;
  readonly peer: Peer;
  /** `req_…`, on every answer and in the log. */
  readonly id: string;
  readonly startedAt: number;
  /** The same on the clock that only goes forward, to measure with. */
  readonly from: number;
  /** Bodies of answers, those with an end, that are still made while they are sent. */
  readonly bodies: Pick<Calls, 'note'>;
  /** The Origin header. */
  readonly origin: string | null;
  /** The operation's name, for metrics and log. */
  route: string;
  /** The id in the path where the interface names a session there, or that of the session that is answered. */
  session: string | null;
  /** The session that was made; null for none, and for a repeat's answer. */
  made: { readonly mode: Mode; readonly game: GameId } | null;
  /** The API key and its secret, also where the origin is refused; null for a bot's token or a member. */
  used: ActiveKey | null;
  /** A key that was known and not let in, which may not act or came from another origin. */
  refused: { readonly key: ApiKey; readonly why: KeyRefusal | 'origin' } | null;
  caller: Caller | null;
  /** The plan's window after this request. */
  window: WindowTake | null;
  /** Null where it is not traced. */
  readonly span: OpenSpan | null;
}

/** Who asks. */
export interface Caller {
  readonly tenant: Tenant;
  readonly key: ApiKey;
  readonly limits: TenantLimits;
  /** Modes whose objects this key may see (rule K3). */
  readonly modes: readonly Mode[];
  /** The player id of the bot whose token this is; absent when it is a key. */
  readonly bot?: string;
  /** The account that asks through the dashboard; absent when it is a key. */
  readonly member?: string;
  /** May whoever asked still ask? What goes on after its answer ends with the right to ask. */
  mayStillAsk(): Promise<boolean>;
}

/** What a request brings, before its fields are checked. */
export interface Input {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** A header of the request; an empty text when it is not there. */
  header(name: string): string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** For whom tokens are made. Kept with an answer, so that a repeat gets the same ones anew. */
export type Mint =
  | {
      readonly kind: 'session';
      readonly session: string;
      readonly mode: Mode;
      readonly players: readonly string[];
    }
  | {
      readonly kind: 'seat';
      readonly session: string;
      readonly mode: Mode;
      readonly player: string;
      /** The session's, as JSON. */
      readonly theme: string | null;
    }
  | { readonly kind: 'lobby'; readonly mode: Mode; readonly player: string }
  | { readonly kind: 'bot'; readonly mode: Mode; readonly player: string }
  /** Of the seed a device's challenge is made, anew for each repeat and always the same. */
  | { readonly kind: 'challenge'; readonly seed: string }
  | {
      readonly kind: 'watch';
      readonly session: string;
      readonly mode: Mode;
      readonly theme: string | null;
    };

/** An answer that is no error. */
export interface Reply {
  readonly status: number;
  /** As it may be kept: what is to be minted stands there blank. */
  readonly body: object;
  readonly mint: Mint | null;
  /** Beside those of every answer. */
  readonly headers: Readonly<Record<string, string>> | null;
  /** Has it been kept for repeats in the commit of its effect? */
  readonly isKept: boolean;
  /** Sent instead of `body`, as it comes; only for answers to GET, which are never kept. */
  readonly stream: TextStream | null;
}

/** An answer whose text comes bit by bit. */
export interface TextStream {
  readonly contentType: string;
  /** Begins with a chunk that is there at once: some servers send the head together with it. */
  readonly chunks: ReadableStream<Uint8Array>;
  /** Resolves when all was taken, or nothing more will be; null for one without an end. */
  readonly ended: Promise<void> | null;
}

/** Makes the row that keeps a reply; null when the request bears no `Idempotency-Key`. */
export type Keep = ((reply: Reply) => IdempotencyRow) | null;

/** What a request asks for, once its fields are right. */
export interface Action {
  /** Why this key may not have it: 403. */
  readonly refusal: Problem | null;
  perform(keep: Keep): Promise<Reply | Problem> | Reply | Problem;
}

export type Endpoint = (input: Input, caller: Caller) => Action | Problem;
export type Endpoints = Readonly<Record<KeyOperationId, Endpoint>>;

export function makeReply(status: number, body: object, mint: Mint | null = null): Reply {
  return { status, body, mint, headers: null, isKept: false, stream: null };
}

/** A 200 whose text comes bit by bit. See `text-stream.ts` for how to make one. */
export function makeStreamReply(stream: TextStream): Reply {
  return { status: 200, body: {}, mint: null, headers: null, isKept: false, stream };
}
