/** The context of the search: the reader, and the tenant and mode that are shown. */

import type { Me, Place, World } from '../types.ts';

export interface FindProps {
  readonly me: Me;
  readonly place: Place | null;
  readonly world: World;
}
