/** How a PostgreSQL database of an older matchd reaches the schema of `tables.ts`. Never changed. */
// @table

import { POSTGRES_NOW } from './clocks.ts';
import { inPostgres } from './dialects.ts';
import { type History, MIGRATIONS, ONE_SCHEMA } from './migrations.ts';

/** What the version of 25 November 2026 had applied. */
const BEFORE: History['before'] = [
  { name: '0001-ground' },
  { name: '0002-held-findings' },
  { name: '0003-webhook-rest', breaksOlder: true },
  { name: '0004-ranked' },
  { name: '0005-ticket-list' },
  { name: '0006-census' },
  { name: '0007-session-metadata' },
  { name: '0008-usage-by-key' },
  { name: '0009-player-checks' },
  { name: '0010-former-seats', breaksOlder: true },
  { name: '0011-tenant-removal' },
  { name: '0012-bot-worlds', breaksOlder: true },
  { name: '0013-key-scopes' },
  { name: '0014-integrity-worlds', breaksOlder: true },
  { name: '0015-session-seals' },
  { name: '0016-audit-macs' },
  { name: '0017-player-worlds', breaksOlder: true },
  { name: '0018-passkeys', breaksOlder: true },
  { name: '0019-key-watch' },
  { name: '0020-anchor-events' },
];

const STEPS: History['steps'] = [
  {
    name: '0021-real-wake-times',
    // `wake_at` excluded outages (rule P6); from here on it is clock time. Outages overlap where
    // two nodes noticed them, and end in the future where a clock was ahead.
    sql: [
      `UPDATE session SET wake_at = wake_at + (
        SELECT coalesce(sum(greatest(0, least(to_at, ${POSTGRES_NOW}) - greatest(from_at, known_to))), 0) FROM (
          SELECT from_at, to_at, max(to_at)
            OVER (ORDER BY from_at ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS known_to
            FROM downtime) AS outage)
        WHERE wake_at IS NOT NULL`,
      'DROP TABLE downtime',
    ],
    breaksOlder: true,
  },
  {
    name: ONE_SCHEMA,
    // The last difference from SQLite.
    sql: [
      'ALTER TABLE integrity_credential ALTER COLUMN mode DROP DEFAULT',
      'ALTER TABLE attested_key ALTER COLUMN mode DROP DEFAULT',
      'DROP INDEX ticket_place',
      `CREATE UNIQUE INDEX ticket_place ON ticket (pool_place, tenant, mode, game)
         WHERE pool_place IS NOT NULL`,
      `ALTER TABLE api_key DROP CONSTRAINT restricted_text,
         ADD CONSTRAINT restricted_text CHECK (scopes IS NULL OR substr(hint, 1, 4) = 'mrk_')`,
    ],
  },
];

export const POSTGRES_HISTORY: History = {
  before: BEFORE,
  steps: [...STEPS, ...MIGRATIONS.map((each) => ({ ...each, sql: each.sql.map(inPostgres) }))],
};
