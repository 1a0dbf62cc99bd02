/** The closed lists of the API, in the order in which messages name them. */

import type { Role } from '../accounts/account.ts';
import type { EventType } from '../events/event.ts';
import type { Platform } from '../integrity/verdict.ts';
import type { RematchDo } from '../match/agreement.ts';
import type { BotDifficulty, DrawStep, MatchType, Mode } from '../match/record.ts';
import type { SessionStatus } from '../match/session.ts';
import type { TicketStatus } from '../matchmaking/ticket.ts';
import type { KeyAlertKind } from '../tenancy/key-alert.ts';
import type { KeyScope } from '../tenancy/key-scopes.ts';
import type { KeyMode, PlanName, RematchMaker } from '../tenancy/tenant.ts';
import type { Anomaly, AnomalyKind } from '../tenant-metrics/anomalies.ts';
import type { StepName, WindowName } from '../tenant-metrics/spans.ts';

/** Fails to compile when a list lacks one of the values of its type. */
const listOf =
  <T extends string>() =>
  <const L extends readonly T[]>(list: [T] extends [L[number]] ? L : never): L =>
    list;

/** The shipped games. */
export const GAMES = ['checkers', 'tictactoe', 'connect4', 'fight-arena', 'pool', 'ludo'] as const;

export const SESSION_MODES = listOf<Mode>()(['live', 'test', 'training']);
export const KEY_MODES = listOf<KeyMode>()(['live', 'test']);
export const KEY_ALERT_KINDS = listOf<KeyAlertKind>()([
  'new_network',
  'dormant_key',
  'refusals',
  'request_rate',
  'old_secret',
]);
export const ROLES = listOf<Role>()(['owner', 'developer', 'support', 'viewer']);
export const KEY_SCOPES = listOf<KeyScope>()([
  'read',
  'sessions',
  'matchmaking',
  'players',
  'admin',
]);

/** The match types that a create accepts. */
export const MATCH_TYPES_ASKED = listOf<Exclude<MatchType, 'hosted'>>()([
  'matchmaking',
  'private',
  'bot',
]);
/** The match types of sessions: `hosted` is made by start-match only. */
export const MATCH_TYPES = listOf<MatchType>()(['matchmaking', 'private', 'bot', 'hosted']);

export const EVENT_TYPES = listOf<EventType>()([
  'session.created',
  'session.started',
  'session.ended',
  'session.expired',
  'session.rematch_agreed',
  'player.joined',
  'player.left',
  'player.connected',
  'player.disconnected',
  'move.made',
  'bot.injected',
  'ticket.created',
  'ticket.player_added',
  'ticket.player_removed',
  'ticket.promoted',
  'ticket.cancelled',
  'group.started',
  'group.cancelled',
  'integrity.checked',
  'key.alert',
  'audit.anchored',
  'checkers.crowned',
  'ludo.captured',
  'fight.round_ended',
]);
export const TICKET_STATUSES = listOf<TicketStatus>()([
  'forming',
  'promoted',
  'started',
  'cancelled',
]);
export const METRIC_WINDOWS = listOf<WindowName>()(['1h', '24h', '7d', '30d']);
export const METRIC_STEPS = listOf<StepName>()(['1m', '10m', '1h', '1d']);
export const ANOMALY_KINDS = listOf<AnomalyKind>()([
  'webhook_disabled',
  'webhook_failing',
  'server_errors',
  'refused_requests',
  'limited_requests',
  'slow_moves',
  'month_sessions',
  'open_sessions',
]);
export const ANOMALY_SEVERITIES = listOf<Anomaly['severity']>()(['critical', 'warning']);
export const ANOMALY_TARGETS = listOf<Anomaly['target']['type']>()([
  'webhook',
  'requests',
  'sessions',
  'usage',
]);
export const STATUSES = listOf<SessionStatus>()(['pending', 'active', 'ended']);
export const DIFFICULTIES = listOf<BotDifficulty>()(['easy', 'medium', 'hard', 'perfect']);
export const BOT_KINDS = ['builtin', 'external'] as const;
export const PLANS_OFFERED = listOf<PlanName>()(['starter', 'growth', 'pro', 'enterprise']);
export const PLATFORMS = listOf<Platform>()(['android', 'ios']);

export const DRAW_STEPS = listOf<DrawStep>()(['offer', 'accept', 'decline']);
export const REMATCH_STEPS = listOf<RematchDo>()(['offer', 'withdraw', 'decline']);
export const REMATCH_MAKERS = listOf<RematchMaker>()(['announce', 'create', 'off']);
