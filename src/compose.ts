/** Wires the parts of a service from its configuration; nothing listens yet. */

import { join } from 'node:path';
import type { Config } from './config.ts';
import { makeClientAddress } from './http/request/client-address.ts';
import { integritySettings } from './integrity-settings.ts';
import type { Log } from './log.ts';
import { type MatchEngine, makeMatchEngine } from './match-engine.ts';
import { type MetricsSources, makeMetrics } from './metrics.ts';
import { makeAccessCheck } from './runtime/access/access.ts';
import { makeKeyRing } from './runtime/access/key-ring.ts';
import { makeKeyService } from './runtime/access/key-service.ts';
import { makeKeyWatch } from './runtime/access/key-watch.ts';
import { makeAccountService } from './runtime/accounts/accounts.ts';
import { makePasswords } from './runtime/accounts/passwords.ts';
import { makeAuditFigures } from './runtime/audit/audit-figures.ts';
import { makeChanges } from './runtime/events/changes.ts';
import { makeEventFeed } from './runtime/events/event-feed.ts';
import { wireIntegrity } from './runtime/integrity/wire.ts';
import { makeLogLimiter } from './runtime/limits/log-limiter.ts';
import { makeStreamCensus } from './runtime/limits/stream-census.ts';
import { makeCensusTaker } from './runtime/measures/census.ts';
import { makeRequestLog } from './runtime/measures/request-log.ts';
import { makeAgreements } from './runtime/sessions/agreements.ts';
import type { SessionService } from './runtime/sessions/session-service.ts';
import { systemRandomness } from './runtime/system.ts';
import { resolveBySystem } from './runtime/webhooks/sending/sender.ts';
import {
  makeWebhooks,
  type WebhookParts,
  type WebhookPartsDeps,
} from './runtime/webhooks/start.ts';
import { makeSeatingParts, type SeatingParts } from './seating-parts.ts';
import type { SocketDeps } from './socket/connection/deps.ts';
import { makeReceiptOf } from './socket/connection/receipts.ts';
import { makeSocketService } from './socket/socket-service.ts';
import type { TargetPolicy } from './webhooks/target.ts';

/** The folder of the project: its two documents and its pages. */
export const PROJECT_ROOT = join(import.meta.dirname, '..');

export type Parts = Awaited<ReturnType<typeof makeParts>>;

/**
 * Opens the store and makes every part; nothing listens yet. `policy` is that of webhooks. Rejects with
 * nothing left open.
 */
export async function makeParts(
  config: Config,
  log: Log,
  publicUrl: string,
  policy: TargetPolicy = { allowLocal: false },
) {
  const checks = integritySettings(config);
  await using opened = new AsyncDisposableStack();
  const engine = await makeMatchEngine(config, log);
  opened.defer(engine.closeEngine);
  const { store, clock, makeId, clusterParts } = engine;
  const keys = makeKeyRing({ store, clock });
  const access = makeAccessCheck(store, clock, new URL(publicUrl).origin);
  const { agreements, sockets } = wireSockets(engine, access.accessOf, {
    trustedProxies: config.trustedProxies,
    rematch: (...asked) => seating.sessions.rematch(...asked),
    log,
  });
  const seating: SeatingParts = makeSeatingParts(engine, { sockets, agreements }, log);
  const events = makeEventFeed(store);
  const integrity = wireIntegrity({ store, clock, randomness: systemRandomness, log }, checks);
  const { present, seqOf } = events;
  const { traces } = engine;
  const changes = makeChanges(events, clock);
  const onAttempt: WebhookPartsDeps['onAttempt'] = (webhook, ...how) =>
    engine.tenantMetrics.attempt(webhook, ...how);
  const onStored: WebhookPartsDeps['onStored'] = (webhook) => changes.mark(webhook, 'webhooks');
  const claims = clusterParts === null ? null : { claims: clusterParts.claims };
  const webhooks = wireWebhooks(
    { store, clock, makeId, policy, present, seqOf, traces, onAttempt, onStored, ...claims },
    log,
  );
  const tenantServices = makeTenantServices(engine, publicUrl, (world) =>
    changes.mark(world, 'requests'),
  );
  const metrics = wireMetrics(engine, {
    sockets,
    integrity,
    webhooks,
    ...seating,
    ...tenantServices,
  });
  const streams = makeStreamCensus(engine.limits.places);
  const logLimiter = makeLogLimiter(clock, (entry) => log.warn(entry, 'log lines suppressed'));
  opened.move();
  return {
    config,
    publicUrl,
    log,
    ...engine,
    ...seating,
    keys,
    access,
    sockets,
    agreements,
    events,
    changes,
    streams,
    logLimiter,
    ...tenantServices,
    integrity,
    webhooks,
    metrics,
  };
}

/** The sockets, and what their players say after the end. `rematch` is there once sessions are made. */
function wireSockets(
  engine: MatchEngine,
  accessOf: SocketDeps['accessOf'],
  own: Pick<Config, 'trustedProxies'> & {
    readonly rematch: SessionService['rematch'];
    readonly log: Log;
  },
) {
  const { local, clusterParts, instruments, tracing, tenantMetrics, limits } = engine;
  const { log } = own;
  const agreements = makeAgreements({
    ...engine,
    rematch: own.rematch,
    notifyOthers: (...news) => clusterParts?.cluster.notifyRematch(...news),
    onError: (err) => log.error({ err }, 'rematch failed'),
  });
  local.onVisited(agreements.visited);
  const sockets = makeSocketService({
    ...engine,
    agreements,
    accessOf,
    receiptOf: makeReceiptOf(instruments.moveAck, tracing, tenantMetrics),
    clientAddress: makeClientAddress(own.trustedProxies),
    onError: (err) => log.error({ err }, 'socket failed'),
    ...(clusterParts === null
      ? null
      : { peers: clusterParts.cluster.sockets, places: limits.places }),
  });
  return { agreements, sockets };
}

/** What Prometheus reads. */
function wireMetrics(
  { store, clock, local, instruments, clusterParts: cluster, lost }: MatchEngine,
  parts: Pick<MetricsSources, 'sockets' | 'integrity' | 'webhooks' | 'keyWatch'> & {
    readonly botRunner: MetricsSources['bots'];
  },
) {
  return makeMetrics({
    ...parts,
    bots: parts.botRunner,
    host: local,
    instruments,
    cluster,
    lost,
    now: clock.now,
    census: makeCensusTaker(store, clock),
    audit: makeAuditFigures(store, clock),
  });
}

/** The dependencies of the dashboard. */
function makeTenantServices(
  engine: MatchEngine,
  publicUrl: string,
  changed: Parameters<typeof makeRequestLog>[2],
) {
  const { store, sealer, clock, makeId, randomness, tokens } = engine;
  const passwords = makePasswords(randomness);
  return {
    accounts: makeAccountService({
      store,
      passwords,
      sealer,
      clock,
      randomness,
      makeId,
      publicUrl,
    }),
    keyService: makeKeyService({ store, clock, randomness, makeId }),
    requests: makeRequestLog(store, clock, changed),
    keyWatch: makeKeyWatch({ store, clock, makeId, tokens }),
  };
}

function wireWebhooks(
  parts: Omit<WebhookPartsDeps, 'randomness' | 'resolve' | 'onError'>,
  log: Log,
): WebhookParts {
  return makeWebhooks({
    ...parts,
    randomness: systemRandomness,
    resolve: resolveBySystem,
    onError: ({ id }, err) => log.error({ webhook: id, err }, 'webhook not served'),
  });
}
