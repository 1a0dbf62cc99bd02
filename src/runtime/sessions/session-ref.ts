/** Which sessions a call may see (rule K3). */

import type { SessionRow } from '../../store/store.ts';
import type { SessionRef } from './session-service.ts';

export function isVisible(row: SessionRow, ref: SessionRef): boolean {
  const { mode, world = mode } = row;
  return row.tenant === ref.tenant && ref.modes.includes(mode) && ref.modes.includes(world);
}
