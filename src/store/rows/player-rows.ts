/** Converts rows about players. */

import type { KeyMode } from '../../tenancy/tenant.ts';
import type { LobbyCheck } from '../store.ts';
import type { Row } from './row.ts';

export function toLobbyCheck(row: Row): LobbyCheck {
  return { mode: row['mode'] as KeyMode, verdict: String(row['verdict']) };
}
