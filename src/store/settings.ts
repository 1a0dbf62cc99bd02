/** The port to tenants' settings for their modes (rule K9). */

import type { KeyMode, WorldSettings } from '../tenancy/tenant.ts';
import type { AuditRow } from './audit.ts';

export interface SettingsStore {
  /** Sets those of one mode. */
  putSettings(
    tenant: string,
    world: KeyMode,
    settings: WorldSettings,
    audit: AuditRow,
  ): Promise<void>;
  /** The tenant's settings, or the defaults. */
  findSettings(tenant: string, world: KeyMode): Promise<WorldSettings>;
}
