/** Every error of the HTTP API: code, status and message, in the order of the checks. */

import { DASHBOARD_ERRORS, type DashboardErrorCode } from './dashboard-errors.ts';
import { SUBPROTOCOL } from './messages.ts';

/** Placeholders in braces are replaced. Codes are for programs and never change (rule H2). */
export const ERRORS = {
  // Authentication (rules H4 and H5).
  missing_authorization: { status: 401, message: 'Missing Authorization header' },
  invalid_api_key: { status: 401, message: 'Invalid or inactive API key' },
  origin_not_allowed: { status: 403, message: 'Origin not allowed for this API key' },
  rate_limited: { status: 429, message: 'Rate limit exceeded' },
  // The request; the codes of handshakes are also in HANDSHAKE_ERRORS.
  bad_request: { status: 400, message: 'Bad request' },
  not_found: { status: 404, message: 'Not found' },
  method_not_allowed: { status: 405, message: 'Method not allowed' },
  upgrade_required: { status: 426, message: 'WebSocket upgrade required' },
  unsupported_websocket_version: { status: 426, message: 'Unsupported WebSocket version' },
  malformed_handshake: { status: 400, message: 'Malformed WebSocket handshake' },
  subprotocol_required: { status: 400, message: `Subprotocol ${SUBPROTOCOL} is required` },
  too_many_sockets: { status: 429, message: 'Too many sockets' },
  // The body, then its fields.
  unsupported_media_type: { status: 415, message: 'Content-Type must be application/json' },
  body_too_large: { status: 413, message: 'Request body too large' },
  body_too_slow: { status: 408, message: 'Request body too slow' },
  body_too_deep: { status: 400, message: 'Request body nested too deeply' },
  invalid_json: { status: 400, message: 'Invalid JSON body' },
  body_not_object: { status: 400, message: 'Request body must be an object' },
  field_required: { status: 400, message: '{field} is required' },
  invalid_field: { status: 400, message: 'Invalid {field}' },
  invalid_choice: { status: 400, message: 'Invalid {field}. Valid: {valid}' },
  players_required: { status: 400, message: 'players[] required for live and test sessions' },
  too_many_players: { status: 400, message: 'Too many players for {game}. Maximum: {max}' },
  invalid_match_type: { status: 400, message: 'Invalid matchType for {game}. Valid: {valid}' },
  invalid_variant: { status: 400, message: 'Invalid variant for {game}. Valid: {valid}' },
  duplicate_groups: { status: 400, message: 'Duplicate groupIds' },
  credential_field_required: { status: 400, message: '{field} is required for {platform}' },
  // Repeats (rule H8).
  idempotency_in_progress: {
    status: 409,
    message: 'Request with this Idempotency-Key is in progress',
  },
  idempotency_key_reused: {
    status: 422,
    message: 'Idempotency-Key reused with another request',
  },
  // Impossible bots.
  bot_of_other_game: { status: 400, message: 'Bot {id} plays {game}' },
  bot_of_other_mode: { status: 400, message: 'Bot {id} plays {mode} sessions only' },
  bad_action: { status: 400, message: '{reason}' },
  // What this key may do.
  scope_missing: { status: 403, message: 'API key lacks the scope {scope}' },
  test_key_live_session: { status: 403, message: 'Test API key cannot create live sessions' },
  test_key_live_webhook: { status: 403, message: 'Test API key cannot create live webhooks' },
  test_key_live_bot: {
    status: 403,
    message: 'Test API key cannot create, change or play live bots',
  },
  test_key_live_integrity: {
    status: 403,
    message: 'Test API key cannot change live device integrity',
  },
  test_key_required: { status: 403, message: 'Triggering events needs a test API key' },
  // The resource.
  session_not_found: { status: 404, message: 'Session not found' },
  room_code_invalid: { status: 404, message: 'Room code expired or invalid' },
  player_not_found: { status: 404, message: 'Player not found' },
  player_not_seated: { status: 404, message: 'Player not in session' },
  ticket_not_found: { status: 404, message: 'Ticket not found' },
  player_not_in_ticket: { status: 404, message: 'Player not in ticket' },
  group_not_found: { status: 404, message: 'Group not found: {id}' },
  credential_not_found: { status: 404, message: 'Integrity credential not found' },
  bot_not_found: { status: 404, message: 'Bot not found' },
  bot_not_seated: { status: 404, message: 'Bot not in session' },
  no_active_bots: { status: 404, message: 'No active bots available for this tenant' },
  webhook_not_found: { status: 404, message: 'Webhook not found' },
  delivery_not_found: { status: 404, message: 'Delivery not found' },
  event_not_found: { status: 404, message: 'Event not found, or no longer kept' },
  // Its state.
  session_not_pending: { status: 409, message: 'Session is not pending' },
  session_not_ended: { status: 409, message: 'Session has not ended' },
  no_rematch: { status: 409, message: 'Session cannot have a rematch' },
  session_not_active: { status: 409, message: 'Session is not active' },
  bot_inactive: { status: 409, message: 'Bot is not active' },
  bot_not_external: { status: 409, message: 'Bot is played by the service' },
  bot_player_taken: { status: 409, message: 'playerId is taken by another bot' },
  bot_limit_reached: { status: 409, message: 'Bot limit of the tenant reached' },
  not_your_turn: { status: 409, message: '{reason}' },
  illegal_move: { status: 409, message: '{reason}' },
  ambiguous_move: { status: 409, message: '{reason}' },
  id_reused: { status: 409, message: '{reason}' },
  player_in_session: { status: 409, message: 'Player already in session' },
  room_full: { status: 409, message: 'Room is already full' },
  session_ended: { status: 409, message: 'Session has ended' },
  ticket_not_forming: { status: 409, message: 'Ticket is not forming' },
  player_not_connected: { status: 409, message: 'Player is not connected' },
  player_in_ticket: { status: 409, message: 'Player is already in ticket {id}' },
  ticket_full: { status: 409, message: 'Ticket is full' },
  group_started: { status: 409, message: 'Group already started: {id}' },
  player_count: {
    status: 409,
    message: '{game} needs {min} to {max} players, the groups have {count}',
  },
  player_absent: { status: 409, message: 'Player is not connected: {id}' },
  // The plan.
  session_quota_exceeded: { status: 429, message: 'Monthly session limit of the plan exceeded' },
  event_streams_exceeded: { status: 429, message: 'Event stream limit of the plan exceeded' },
  open_sessions_exceeded: { status: 429, message: 'Open session limit of the plan exceeded' },
  open_tickets_exceeded: { status: 429, message: 'Open ticket limit of the plan exceeded' },
  webhooks_exceeded: { status: 429, message: 'Webhook limit of the plan exceeded' },
  // The service.
  busy: { status: 503, message: 'Session is busy' },
  unavailable: { status: 503, message: 'Service unavailable' },
  not_ready: { status: 503, message: 'Not ready' },
  internal_error: { status: 500, message: 'Internal server error' },
} as const;

export type ErrorCode = keyof typeof ERRORS;
/** Why a handshake is refused, in the order of the checks (rules H2 and P2). */
export const HANDSHAKE_ERRORS = [
  'upgrade_required',
  'unsupported_websocket_version',
  'malformed_handshake',
  'not_ready',
  'subprotocol_required',
  'too_many_sockets',
] as const satisfies readonly ErrorCode[];
/** With the dashboard's errors, which are not part of the public API. */
export type AnyErrorCode = ErrorCode | DashboardErrorCode;

/** An error to be sent as a response. */
export interface Problem {
  readonly problem: AnyErrorCode;
  readonly status: number;
  /** The message with its placeholders replaced. */
  readonly message: string;
  /** Headers besides those of every error; names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The placeholders in a message. */
type Words<Message extends string> = Message extends `${string}{${infer Word}}${infer Rest}`
  ? Word | Words<Rest>
  : never;

type WordsOf<Code extends ErrorCode> = Words<(typeof ERRORS)[Code]['message']>;

type Fill<Code extends ErrorCode> = [WordsOf<Code>] extends [never]
  ? [words?: null, headers?: Problem['headers']]
  : [words: Readonly<Record<WordsOf<Code>, string>>, headers?: Problem['headers']];

const NO_HEADERS = {};

export function makeProblem<Code extends ErrorCode>(code: Code, ...fill: Fill<Code>): Problem {
  const [words, headers] = fill;
  const { status, message: template } = ERRORS[code];
  const message = words ? fillIn(template, words) : template;
  return { problem: code, status, message, headers: headers ?? NO_HEADERS };
}

export function makeDashboardProblem(
  code: DashboardErrorCode,
  headers: Problem['headers'] = NO_HEADERS,
): Problem {
  return { problem: code, ...DASHBOARD_ERRORS[code], headers };
}

function fillIn(template: string, words: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (_, word: string) => words[word] ?? '');
}

export function isProblem(value: unknown): value is Problem {
  return typeof value === 'object' && value !== null && 'problem' in value;
}

/** Seconds in `Retry-After`: whole and at least one (rule H6). */
export function retryAfter(ms: number): { readonly 'retry-after': string } {
  return { 'retry-after': String(Math.max(1, Math.ceil(ms / 1_000))) };
}

export function makeChoiceProblem(field: string, valid: readonly unknown[]): Problem {
  return makeProblem('invalid_choice', { field, valid: valid.map(String).join(', ') });
}
