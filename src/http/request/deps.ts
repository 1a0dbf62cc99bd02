/** What the API needs from the rest of the service. */

import type { Games } from '../../games/games.ts';
import type { Mode } from '../../match/record.ts';
import type { AccessCheck } from '../../runtime/access/access.ts';
import type { KeyRing } from '../../runtime/access/key-ring.ts';
import type { KeyWatch } from '../../runtime/access/key-watch.ts';
import type { Tokens } from '../../runtime/access/tokens.ts';
import type { BotService } from '../../runtime/bots/bot-service.ts';
import type { BotStreams } from '../../runtime/bots/bot-streams.ts';
import type { Changes } from '../../runtime/events/changes.ts';
import type { EventFeed } from '../../runtime/events/event-feed.ts';
import type { SlowRules } from '../../runtime/games/slow-rules.ts';
import type { MakeId } from '../../runtime/ids.ts';
import type { IntegrityService } from '../../runtime/integrity/integrity-service.ts';
import type { LeasedWindows } from '../../runtime/limits/leased-windows.ts';
import type { LogLimiter } from '../../runtime/limits/log-limiter.ts';
import type { StreamCensus } from '../../runtime/limits/stream-census.ts';
import type { HostedService } from '../../runtime/matchmaking/hosted.ts';
import type { RequestLog } from '../../runtime/measures/request-log.ts';
import type { TenantMetrics } from '../../runtime/measures/tenant-metrics.ts';
import type { Tracing } from '../../runtime/measures/tracing.ts';
import type { Clock } from '../../runtime/ports.ts';
import type { SessionService } from '../../runtime/sessions/session-service.ts';
import type { PublicKey } from '../../runtime/signing/signer.ts';
import type { WebhookService } from '../../runtime/webhooks/webhook-service.ts';
import type { JournalStore } from '../../store/journal.ts';
import type { RatingStore } from '../../store/ratings.ts';
import type { SettingsStore } from '../../store/settings.ts';
import type { IdempotencyStore } from '../../store/store.ts';
import type { TenantMetricStore } from '../../store/tenant-metrics.ts';
import type { WindowLimiter } from '../../tenancy/limiter.ts';
import type { DocumentOf } from './document.ts';

/** The part of pino that is used. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface RequestMetrics {
  /** `route` is the operation's name, never a path: a closed set. */
  request(route: string, status: number, seconds: number): void;
}

export interface BuildInfo {
  readonly version: string;
  /** `bun` or `node`, with its version. */
  readonly runtime: string;
  /** This process from start to end: `nod_…`. */
  readonly node: string;
}

export interface HttpDeps {
  readonly games: Games;
  readonly slowCallsOf: SlowRules['of'];
  readonly service: SessionService;
  readonly hosted: HostedService;
  readonly events: EventFeed;
  readonly streams: StreamCensus;
  readonly integrity: IntegrityService;
  readonly webhooks: WebhookService;
  readonly bots: BotService;
  readonly botStreams: BotStreams;
  readonly tokens: Tokens;
  /** The key that issued a token; see `AccessCheck`. */
  readonly issuerOf: AccessCheck['issuerOf'];
  readonly keys: Pick<KeyRing, 'find' | 'refused'>;
  /** Requests of plans, by tenant and mode: a `WindowLimiter`, or one that nodes share. */
  readonly planWindows: Pick<LeasedWindows, 'take'>;
  /** Requests that failed the key check, by address. Separate, so that a flood of these drops no plan's window. */
  readonly wrongKeyWindows: Pick<WindowLimiter, 'take'>;
  readonly ratings: RatingStore;
  /** Has the player a socket of that mode open here? */
  readonly isConnected: (
    tenant: string,
    mode: Mode,
    playerId: string,
  ) => boolean | Promise<boolean>;
  /** Figures of worlds over time (rule D14). */
  readonly metricStore: Pick<TenantMetricStore, 'listMetrics' | 'countActiveOf'>;
  readonly changes: Changes;
  readonly planUse: JournalStore['planUse'];
  readonly tenantMetrics: Pick<TenantMetrics, 'request'>;
  readonly store: Pick<IdempotencyStore, 'findIdempotent' | 'keepIdempotent'>;
  readonly settings: SettingsStore;
  readonly clock: Clock;
  readonly makeId: MakeId;
  readonly log: Log;
  /** Limits the log lines of refused requests, by address and error code. */
  readonly logLimiter: Pick<LogLimiter, 'take'>;
  readonly metrics: RequestMetrics;
  /** Null without tracing. */
  readonly tracing?: Tracing | null;
  /** Scheme, host and port of the service for its clients, without a trailing slash. */
  readonly publicUrl: string;
  /** Addresses and networks (`10.0.0.0/8`) whose `X-Forwarded-For` counts. */
  readonly trustedProxies: readonly string[];
  readonly build: BuildInfo;
  /** The installation's public keys; the signing one comes first. */
  readonly publicKeys: readonly PublicKey[];
  /** `openapi.json` and `asyncapi.json`. */
  readonly openapi: DocumentOf;
  readonly asyncapi: DocumentOf;
  /** False while the service drains or its store is away. */
  ready(): Promise<boolean>;
  /** The metrics, for authorized callers; null hides the path. */
  scrape(request: Request): Promise<Response | null>;
  /** Notes the use of a key (rule K6). */
  readonly keyWatch: Pick<KeyWatch, 'note'>;
  /** Notes a request with a key (rule D9). */
  readonly requests: Pick<RequestLog, 'record' | 'recordRefused'>;
  /**
   * Pages besides the API: `/play`, `/docs`, `/dashboard`, `/demo`. Null for other paths. HEAD, and any request
   * without a body except GET, has no effect.
   */
  pages(request: Request): Response | Promise<Response | null> | null;
}
