/** A tenant's metrics over time (section 8a), as data. */

import { metricSeries, metricSummary } from '../answers/metrics-answers.ts';
import { metricSeriesQuery, metricsQuery } from '../requests/metrics-requests.ts';
import type { Route } from './route.ts';

const VISIBLE = 'A test key sees metrics of test mode only.';

export const metricRoutes = [
  {
    method: 'GET',
    path: '/v1/metrics/summary',
    operationId: 'getMetricSummary',
    scopes: ['read', 'admin'],
    tag: 'Metrics',
    summary: 'Retrieve the metrics and anomalies of a window',
    auth: 'key',
    body: null,
    query: metricsQuery,
    answers: { 200: { means: 'The metrics of the window.', schema: metricSummary } },
    errors: ['invalid_field', 'invalid_choice', 'not_found'],
    rights: VISIBLE,
  },
  {
    method: 'GET',
    path: '/v1/metrics/series',
    operationId: 'getMetricSeries',
    scopes: ['read', 'admin'],
    tag: 'Metrics',
    summary: 'Retrieve the metrics of a window as a time series',
    auth: 'key',
    body: null,
    query: metricSeriesQuery,
    answers: { 200: { means: 'One point for each step.', schema: metricSeries } },
    errors: ['invalid_field', 'invalid_choice', 'not_found'],
    rights: VISIBLE,
  },
] as const satisfies readonly Route[];
