/** The port to what tenants set for their worlds (rule K9). */

import type { KeyMode, WorldSettings } from '../tenancy/tenant.ts';
import type { AuditRow } from './audit.ts';

export interface SettingsStore {
  /** Sets those of one world. */
  putSettings(
    tenant: string,
    world: KeyMode,
    settings: WorldSettings,
    audit: AuditRow,
  ): Promise<void>;
  /** The defaults where the tenant has set none. */
  findSettings(tenant: string, world: KeyMode): Promise<WorldSettings>;
}
