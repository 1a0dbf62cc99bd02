/** The counter of a tenant's sessions that have not ended (rule H6). */

import type { SessionRow } from '../store.ts';

/** The counter's name. Training counts in the mode of the key that created it (rule K3). */
export function openCounter({
  mode,
  world,
}: Pick<SessionRow, 'mode'> & { world?: SessionRow['world'] | undefined }): string {
  return mode === 'training' && world === 'test' ? OPEN_TEST_TRAINING : `open:${mode}`;
}

const OPEN_TEST_TRAINING = 'open:training:test';

/** All such counters, for SQL. */
export const OPEN_COUNTERS = `('open:live', 'open:test', 'open:training', '${OPEN_TEST_TRAINING}')`;

/** The mode of a counter, for SQL. */
export const MODE_OF_COUNTER = `CASE name WHEN '${OPEN_TEST_TRAINING}' THEN 'training'
  ELSE substr(name, 6) END`;
