/** Where the reader is and what they may do there. */

import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { pageUrl } from './place.ts';
import type { Me, Place, World } from './types.ts';

export interface Here {
  readonly me: Me;
  /** The page's tenant, and the reader's role there. */
  readonly place: Place;
  readonly world: World;
  readonly id: string | null;
  /** The path of this mode's routes: `/t/<tenant>/<world>`. */
  readonly api: string;
  /** Announces a status, which disappears by itself. */
  say(text: string): void;
  /** Announces an error, over an open dialog, too. */
  warn(text: string): void;
}

export const HereContext = createContext<Here>(null as unknown as Here);

export function useHere(): Here {
  return useContext(HereContext);
}

/** The address of a page of the same tenant and mode. */
export function usePageUrl(): (page: string, id?: string) => string {
  const { place, world } = useHere();
  return (page, id) => pageUrl(place.slug, world, page, id);
}

/** Whether the reader may create and change things. */
export function canEdit({ place }: Pick<Here, 'place'>): boolean {
  return place.role === 'owner' || place.role === 'developer';
}

/** Whether the reader may watch, verify and end sessions, and export players. */
export function canManage({ place }: Pick<Here, 'place'>): boolean {
  return place.role !== 'viewer';
}
