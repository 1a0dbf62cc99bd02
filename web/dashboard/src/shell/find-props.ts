/** Where the search looks: the reader, and the tenant's world that is shown. */

import type { Me, Place, World } from '../types.ts';

export interface FindProps {
  readonly me: Me;
  readonly place: Place | null;
  readonly world: World;
}
