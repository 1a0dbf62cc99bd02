/** Tenants' settings for their modes. */

import { DEFAULT_SETTINGS, type KeyMode, type WorldSettings } from '../../../tenancy/tenant.ts';
import type { AuditRow } from '../../audit.ts';
import type { SettingsStore } from '../../settings.ts';
import { insertAudit } from './audit.ts';
import { type Runner, type Sql, scriptOfOne } from './script.ts';

export function makeSettingsStore({ sql, write }: Runner): SettingsStore {
  return {
    putSettings: (tenant, mode, settings, audit) =>
      write(PUT_SETTINGS, { tenant, mode, ...settings, audit }),
    findSettings: (tenant, mode) => readSettings(sql, tenant, mode),
  };
}

export async function readSettings(
  sql: Sql,
  tenant: string,
  mode: KeyMode,
): Promise<WorldSettings> {
  const row = await sql.get(
    'SELECT rematch FROM world_setting WHERE tenant = :tenant AND mode = :mode',
    { tenant, mode },
  );
  if (row === undefined) return DEFAULT_SETTINGS;
  return { rematch: row['rematch'] as WorldSettings['rematch'] };
}

interface PutSettings extends WorldSettings {
  readonly tenant: string;
  readonly mode: KeyMode;
  readonly audit: AuditRow;
}

const PUT_SETTINGS = scriptOfOne('putSettings', async (tx, ask: PutSettings) => {
  const { tenant, mode, rematch } = ask;
  await tx.run(
    `INSERT INTO world_setting (tenant, mode, rematch) VALUES (:tenant, :mode, :rematch)
     ON CONFLICT (tenant, mode) DO UPDATE SET rematch = excluded.rematch`,
    { tenant, mode, rematch },
  );
  await insertAudit(tx, ask.audit);
});

export const SETTINGS_SCRIPTS = [PUT_SETTINGS];
