/** A request, and what is known about it while it is answered. */

import type { GameId } from '../../../game/src/game.ts';
import type { Problem } from '../../contract/errors.ts';
import type { KeyOperationId } from '../../contract/routes/routes.ts';
import type { Mode } from '../../match/record.ts';
import type { ActiveKey } from '../../runtime/access/key-ring.ts';
import type { Calls } from '../../runtime/limits/calls.ts';
import type { OpenSpan } from '../../runtime/measures/tracing.ts';
import type { IdempotencyRow } from '../../store/store.ts';
import type { KeyRefusal } from '../../tenancy/key-check.ts';
import type { WindowTake } from '../../tenancy/limiter.ts';
import type { ApiKey, Tenant, TenantLimits } from '../../tenancy/tenant.ts';
import type { Peer } from './client-address.ts';
import type { HttpDeps } from './deps.ts';

/** Filled in as the checks pass. */
export interface Exchange {
  readonly deps: HttpDeps;
  readonly request: Request;
  readonly peer: Peer;
  /** `req_…`, in every response and in the log. */
  readonly id: string;
  readonly startedAt: number;
  /** The same on a monotonic clock, for durations. */
  readonly from: number;
  /** Response bodies, except endless ones, that are still being sent. */
  readonly bodies: Pick<Calls, 'note'>;
  /** The Origin header. */
  readonly origin: string | null;
  /** The operation's name, for metrics and log. */
  route: string;
  /** The session id in the path, or that of the returned session. */
  session: string | null;
  /** The created session; null for none, and for a repeated response. */
  made: { readonly mode: Mode; readonly game: GameId } | null;
  /** The API key and its secret, also when the origin is refused; null for a bot's token or a member. */
  used: ActiveKey | null;
  /** A known key that was refused: it is inactive, or came from another origin. */
  refused: { readonly key: ApiKey; readonly why: KeyRefusal | 'origin' } | null;
  caller: Caller | null;
  /** The plan's window after this request. */
  window: WindowTake | null;
  /** Null when it is not traced. */
  readonly span: OpenSpan | null;
}

/** The caller. */
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
  /** Does the caller still have the right? Long responses end with it. */
  mayStillAsk(): Promise<boolean>;
}

/** The request's content, before its fields are checked. */
export interface Input {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** A header of the request; an empty text when it is missing. */
  header(name: string): string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** The players whose tokens are minted. Stored with a response, so that a repeat gets tokens for the same players. */
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
  /** Of the seed a device's challenge is made, again for each repeat and always the same. */
  | { readonly kind: 'challenge'; readonly seed: string }
  | {
      readonly kind: 'watch';
      readonly session: string;
      readonly mode: Mode;
      readonly theme: string | null;
    };

/** A response that is no error. */
export interface Reply {
  readonly status: number;
  /** The stored form: minted fields are blank. */
  readonly body: object;
  readonly mint: Mint | null;
  /** In addition to those of every response. */
  readonly headers: Readonly<Record<string, string>> | null;
  /** Was it stored for repeats in the commit of its effect? */
  readonly isStored: boolean;
  /** Sent instead of `body`, as it is produced; only for responses to GET, which are never stored. */
  readonly stream: TextStream | null;
}

/** A response whose text is produced in parts. */
export interface TextStream {
  readonly contentType: string;
  /** The first chunk must be ready at once: some servers send the head together with it. */
  readonly chunks: ReadableStream<Uint8Array>;
  /** Resolves when everything was sent, or nothing more will be; null for an endless one. */
  readonly ended: Promise<void> | null;
}

/** Makes the row that stores a response; null without an `Idempotency-Key`. */
export type Keep = ((reply: Reply) => IdempotencyRow) | null;

/** What a request does, once its fields are valid. */
export interface Action {
  /** Why the key lacks permission: 403. */
  readonly refusal: Problem | null;
  perform(keep: Keep): Promise<Reply | Problem> | Reply | Problem;
}

export type Endpoint = (input: Input, caller: Caller) => Action | Problem;
export type Endpoints = Readonly<Record<KeyOperationId, Endpoint>>;

export function makeReply(status: number, body: object, mint: Mint | null = null): Reply {
  return { status, body, mint, headers: null, isStored: false, stream: null };
}

/** A 200 whose text is produced in parts. See `text-stream.ts` for how to make one. */
export function makeStreamReply(stream: TextStream): Reply {
  return { status: 200, body: {}, mint: null, headers: null, isStored: false, stream };
}
