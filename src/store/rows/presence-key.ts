/** Who is connected, as the key of a map or set. */

import type { Mode } from '../../match/record.ts';

/** A player in a mode. */
export interface ModePlayer {
  readonly tenant: string;
  readonly mode: Mode;
  readonly playerId: string;
}

/** Names of players hold no control characters, and those of tenants and modes no line break. */
export function presenceKey({ tenant, mode, playerId }: ModePlayer): string {
  return `${mode}\n${tenant}\n${playerId}`;
}
