/** What a route of the interface is, as data. */

import type { z } from 'zod';
import type { ScopesNeeded } from '../../tenancy/key-scopes.ts';
import type { ErrorCode } from '../errors.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface RouteAnswer {
  readonly means: string;
  readonly schema: z.ZodType;
  /** Of a stream, whose lines hold JSON; all other answers are JSON. */
  readonly contentType?: 'text/event-stream' | 'application/x-ndjson';
}

export interface Route {
  readonly method: Method;
  /** With `:name` for what varies; see `PARAMS`. */
  readonly path: string;
  readonly operationId: string;
  readonly tag:
    | 'Games'
    | 'Sessions'
    | 'Matchmaking'
    | 'Bots'
    | 'Players'
    | 'Integrity'
    | 'Events'
    | 'Webhooks'
    | 'Metrics'
    | 'Keys'
    | 'Settings'
    | 'Service';
  readonly summary: string;
  /** `bot`: a key, or the token of a bot of the tenant's. */
  readonly auth: 'key' | 'bot' | 'none';
  /** A restricted key needs one of these (rule K5). */
  readonly scopes: ScopesNeeded;
  /** Null: takes none, and looks at none. */
  readonly body: z.ZodObject | null;
  readonly query: z.ZodObject | null;
  /** Answers that are no errors, by status. */
  readonly answers: Readonly<Record<number, RouteAnswer>>;
  /** Errors of its own, beside those that every route of its kind has. */
  readonly errors: readonly ErrorCode[];
  /** What the key has to be for it; null when every key will do. */
  readonly rights: string | null;
}

/** What any field of a body can have wrong with it. */
export const FIELD_ERRORS = [
  'body_not_object',
  'field_required',
  'invalid_field',
  'invalid_choice',
] as const;
/** What any call can meet that goes through a session's mailbox. */
export const SERVICE_ERRORS = ['busy', 'unavailable'] as const;

export const SESSIONS_VISIBLE = 'Newest first. A test key sees test sessions only.';
