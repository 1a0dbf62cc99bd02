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
    description: 'The median in milliseconds, within 10 %; null without samples.',
  }),
  p99Ms: ms.meta({ description: 'The 99th percentile in milliseconds; null without samples.' }),
};

const counted = z.strictObject({ total: count, ...durations }).meta({
  id: 'MetricDurations',
  description:
    "`moves`: from a player's command on the socket to its `ack`. `queueWaits`: from the start of a player's wait to the start of the match.",
});

const figures = {
  sessions: z.strictObject({ created: count, started: count, ended: count }).meta({
    id: 'MetricSessions',
    description: 'Sessions that reached each status. Expired sessions count as ended.',
  }),
  requests: z
    .strictObject({
      total: count,
      succeeded: count.meta({ description: 'Responses with a status below 400.' }),
      refused: count.meta({ description: 'Responses with 4xx, except 429.' }),
      limited: count.meta({ description: 'Responses with 429: a limit of the plan was exceeded.' }),
      failed: count.meta({ description: 'Responses with 5xx.' }),
      ...durations,
    })
    .meta({
      id: 'MetricRequests',
      description: 'Requests with a key. Requests of the dashboard do not count.',
    }),
  /** From a player's command on the socket to its `ack`. */
  moves: counted,
  /** From the start of a player's wait to the match's start. */
  queueWaits: counted,
  webhooks: z.strictObject({ delivered: count, failed: count, ...durations }).meta({
    id: 'MetricDeliveries',
    description: 'Delivery attempts to webhook endpoints.',
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
      description: 'A sentence in English.',
      examples: ['Webhook example.com has failed since 14:02 UTC.'],
    }),
    since: time.nullable().meta({ description: 'When it started, if known.' }),
    value: z.number().nullable().meta({
      description:
        'By kind: a percentage (`server_errors`, `refused_requests`, `month_sessions`, `open_sessions`), a count (`limited_requests`) or milliseconds (`slow_moves`). Otherwise null.',
    }),
    target: z
      .strictObject({ type: z.enum(ANOMALY_TARGETS), id: z.string().nullable() })
      .meta({ description: 'What it concerns: a webhook by its id, or a list.' }),
  })
  .meta({ id: 'Anomaly' });

export const metricSummary = z
  .strictObject({
    mode: z.enum(KEY_MODES),
    window: z.enum(METRIC_WINDOWS),
    from: time,
    to: time.meta({
      description: 'The end of the last full minute.',
    }),
    now: z
      .strictObject({
        matchesInPlay: count,
        playersConnected: count.meta({ description: 'At the end of the last full minute.' }),
      })
      .meta({ description: 'Current values.' }),
    ...figures,
    usage: z
      .strictObject({
        sessionsThisMonth: used
          .nullable()
          .meta({ description: 'Null in test mode, which has no monthly limit.' }),
        openSessions: used,
      })
      .meta({ description: "Use of the plan's limits." }),
    anomalies: z
      .array(anomaly)
      .meta({ description: 'What needs attention, most severe first. Empty if nothing does.' }),
  })
  .meta({ id: 'MetricSummary' });

export const metricPoint = z
  .strictObject({
    at: time.meta({ description: 'The start of the step.' }),
    matchesInPlay: count.meta({ description: 'The maximum of the step, by minute.' }),
    playersConnected: count.meta({ description: 'The maximum of the step, by minute.' }),
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
        'One point per step, oldest first, including steps without activity. The last step may be incomplete.',
    }),
  })
  .meta({ id: 'MetricSeries' });
