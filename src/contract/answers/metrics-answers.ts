/** Schemas of a tenant's metrics (section 8a). */

import { z } from 'zod';
import {
  ANOMALY_KINDS,
  ANOMALY_SEVERITIES,
  ANOMALY_TARGETS,
  KEY_MODES,
  METRIC_STEPS,
  METRIC_WINDOWS,
} from '../values.ts';

const time = z.iso.datetime({ precision: 3 });
const count = z.int().min(0);
const ms = z.number().min(0).nullable();

const durations = {
  p50Ms: ms.meta({
    description:
      'Half took at most so many milliseconds, to within 10 %. Null where there was none.',
  }),
  p99Ms: ms.meta({ description: '99 of 100 took at most so many milliseconds.' }),
};

const counted = z.strictObject({ total: count, ...durations }).meta({
  id: 'MetricDurations',
  description:
    "Of `moves`: from a player's command on its socket to its `ack`. Of `queueWaits`: from a player's wait for opponents to the match's start.",
});

const figures = {
  sessions: z.strictObject({ created: count, started: count, ended: count }).meta({
    id: 'MetricSessions',
    description: 'Sessions that came to each state. Expired ones have ended.',
  }),
  requests: z
    .strictObject({
      total: count,
      succeeded: count.meta({ description: 'Answered below 400.' }),
      refused: count.meta({ description: 'Answered with 4xx, without 429.' }),
      limited: count.meta({ description: 'Answered with 429: a limit of the plan was reached.' }),
      failed: count.meta({ description: 'Answered with 5xx.' }),
      ...durations,
    })
    .meta({
      id: 'MetricRequests',
      description: 'Requests with a key. Those of the dashboard are not counted.',
    }),
  /** From a player's command on the socket to its `ack`. */
  moves: counted,
  /** From the start of a player's wait to the match's start. */
  queueWaits: counted,
  webhooks: z.strictObject({ delivered: count, failed: count, ...durations }).meta({
    id: 'MetricDeliveries',
    description: 'Requests to endpoints of webhooks, each try by itself.',
  }),
};

const used = z.strictObject({
  used: count,
  limit: count.nullable().meta({ description: 'Null for no limit.' }),
});

export const anomaly = z
  .strictObject({
    kind: z.enum(ANOMALY_KINDS),
    severity: z.enum(ANOMALY_SEVERITIES),
    message: z.string().meta({
      description: 'In words, in English.',
      examples: ['Webhook example.com has failed since 14:02 UTC.'],
    }),
    since: time.nullable().meta({ description: 'When it began, as far as is known.' }),
    value: z.number().nullable().meta({
      description:
        'By kind: percent (`server_errors`, `refused_requests`, `month_sessions`, `open_sessions`), a count (`limited_requests`) or milliseconds (`slow_moves`). Null otherwise.',
    }),
    target: z
      .strictObject({ type: z.enum(ANOMALY_TARGETS), id: z.string().nullable() })
      .meta({ description: 'Where to look: a webhook by its id, or a list.' }),
  })
  .meta({ id: 'Anomaly' });

export const metricSummary = z
  .strictObject({
    mode: z.enum(KEY_MODES),
    window: z.enum(METRIC_WINDOWS),
    from: time,
    to: time.meta({
      description: 'The end of the last whole minute: what is newer comes with the next.',
    }),
    now: z
      .strictObject({
        matchesInPlay: count,
        playersConnected: count.meta({ description: 'As of the last whole minute.' }),
      })
      .meta({ description: 'Of this moment.' }),
    ...figures,
    usage: z
      .strictObject({
        sessionsThisMonth: used
          .nullable()
          .meta({ description: 'Null in test mode, which no plan counts.' }),
        openSessions: used,
      })
      .meta({ description: "Use of the plan's limits." }),
    anomalies: z
      .array(anomaly)
      .meta({ description: 'What needs a look, the most severe first. Empty when all is well.' }),
  })
  .meta({ id: 'MetricSummary' });

export const metricPoint = z
  .strictObject({
    at: time.meta({ description: 'When the step begins.' }),
    matchesInPlay: count.meta({ description: 'The most of any minute of the step.' }),
    playersConnected: count.meta({ description: 'The most of any minute of the step.' }),
    ...figures,
  })
  .meta({ id: 'MetricPoint' });

export const metricSeries = z
  .strictObject({
    mode: z.enum(KEY_MODES),
    window: z.enum(METRIC_WINDOWS),
    step: z.enum(METRIC_STEPS),
    from: time,
    to: time,
    data: z.array(metricPoint).meta({
      description:
        'One point a step, the oldest first, also where nothing happened. The last step may not be over.',
    }),
  })
  .meta({ id: 'MetricSeries' });
