/** The tenant and mode that this tab showed last: pages without a tenant lead back there. */

import type { Me, Place, World } from './types.ts';

const KEY = 'matchd-last-place';

export interface LastPlace {
  readonly place: Place;
  readonly world: World;
}

export function rememberPlace(slug: string, world: World): void {
  sessionStorage.setItem(KEY, `${world}/${slug}`);
}

/** Null before the first, and if the reader is not a member any more. */
export function recallPlace({ tenants }: Me): LastPlace | null {
  const [world, slug] = (sessionStorage.getItem(KEY) ?? '').split('/');
  const place = tenants.find((each) => each.slug === slug);
  return place === undefined ? null : { place, world: world === 'live' ? 'live' : 'test' };
}
