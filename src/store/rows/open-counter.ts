/** What counts a tenant's sessions that have not ended (rule H6). */

import type { SessionRow } from '../store.ts';

/** The counter's name. Training is counted in the world of the key that made it (rule K3). */
export function openCounter({
  mode,
  world,
}: Pick<SessionRow, 'mode'> & { world?: SessionRow['world'] | undefined }): string {
  return mode === 'training' && world === 'test' ? OPEN_TEST_TRAINING : `open:${mode}`;
}

const OPEN_TEST_TRAINING = 'open:training:test';

/** All of them, for SQL. */
export const OPEN_COUNTERS = `('open:live', 'open:test', 'open:training', '${OPEN_TEST_TRAINING}')`;

/** The mode of a counter, for SQL. */
export const MODE_OF_COUNTER = `CASE name WHEN '${OPEN_TEST_TRAINING}' THEN 'training'
  ELSE substr(name, 6) END`;

/** Moves what was counted for both worlds together, for the migrations. */
export const PART_TRAINING: readonly string[] = [
  `INSERT INTO counter (tenant, name, n)
   SELECT tenant, '${OPEN_TEST_TRAINING}', count(*) FROM session
    WHERE mode = 'training' AND world = 'test' AND status <> 'ended' GROUP BY tenant`,
  `UPDATE counter SET n = n - (SELECT own.n FROM counter AS own
      WHERE own.tenant = counter.tenant AND own.name = '${OPEN_TEST_TRAINING}')
    WHERE name = 'open:training'
      AND tenant IN (SELECT tenant FROM counter WHERE name = '${OPEN_TEST_TRAINING}')`,
];
