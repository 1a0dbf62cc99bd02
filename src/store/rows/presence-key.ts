/** The key of a connected player in a map or set. */

import type { Mode } from '../../match/record.ts';

/** A player in a mode. */
export interface ModePlayer {
  readonly tenant: string;
  readonly mode: Mode;
  readonly playerId: string;
}

/** Player ids contain no control characters, and tenants and modes no line break. */
export function presenceKey({ tenant, mode, playerId }: ModePlayer): string {
  return `${mode}\n${tenant}\n${playerId}`;
}
