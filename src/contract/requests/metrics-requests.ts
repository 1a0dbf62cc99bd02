/** Schemas of requests for a tenant's metrics (section 8a). */

import { z } from 'zod';
import { KEY_MODES, METRIC_STEPS, METRIC_WINDOWS } from '../values.ts';

const mode = z.enum(KEY_MODES).optional().meta({
  description: "Only metrics of this mode. Defaults to the key's mode.",
});
const window = z.enum(METRIC_WINDOWS).optional().meta({
  description: 'The length of the window, up to now.',
  default: '1h',
});

export const metricsQuery = z.object({ window, mode });

export const metricSeriesQuery = z.object({
  window,
  step: z.enum(METRIC_STEPS).optional().meta({
    description:
      'The length of a step: `1m` or `10m` for `1h`; `10m` or `1h` for `24h`; `1h` or `1d` for `7d`; `1d` for `30d`. Defaults to the shortest one.',
  }),
  mode,
});
