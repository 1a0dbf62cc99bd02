/** The type of a route of the API, as data. */

import type { z } from 'zod';
import type { ScopesNeeded } from '../../tenancy/key-scopes.ts';
import type { ErrorCode } from '../errors.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface RouteAnswer {
  readonly means: string;
  readonly schema: z.ZodType;
  /** For a stream, whose lines are JSON; all other responses are JSON. */
  readonly contentType?: 'text/event-stream' | 'application/x-ndjson';
}

export interface Route {
  readonly method: Method;
  /** With `:name` for parameters; see `PARAMS`. */
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
  /** `bot`: a key, or the token of one of the tenant's bots. */
  readonly auth: 'key' | 'bot' | 'none';
  /** A restricted key needs one of these (rule K5). */
  readonly scopes: ScopesNeeded;
  /** Null: no body, and none is read. */
  readonly body: z.ZodObject | null;
  readonly query: z.ZodObject | null;
  /** Successful responses, by status. */
  readonly answers: Readonly<Record<number, RouteAnswer>>;
  /** Its own errors, besides those that every route of its kind has. */
  readonly errors: readonly ErrorCode[];
  /** What the key must be for it; null when any key will do. */
  readonly rights: string | null;
}

/** The errors that any field of a body can have. */
export const FIELD_ERRORS = [
  'body_not_object',
  'field_required',
  'invalid_field',
  'invalid_choice',
] as const;
/** The errors of any call that goes through a session's mailbox. */
export const SERVICE_ERRORS = ['busy', 'unavailable'] as const;

export const SESSIONS_VISIBLE = 'A test key sees test sessions only.';
