/** Where the reader is and what a page may use there. */

import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { pageUrl } from './place.ts';
import type { Me, Place, World } from './types.ts';

export interface Here {
  readonly me: Me;
  /** The tenant it is about, and what the reader is there. */
  readonly place: Place;
  readonly world: World;
  readonly id: string | null;
  /** The path of this world's routes: `/t/<tenant>/<world>`. */
  readonly api: string;
  /** Announces something that is read out, and goes by itself. */
  say(text: string): void;
  /** Announces why something did not happen, over a dialog, too. */
  warn(text: string): void;
}

export const HereContext = createContext<Here>(null as unknown as Here);

export function useHere(): Here {
  return useContext(HereContext);
}

/** The address of a page of the same tenant and world. */
export function usePageUrl(): (page: string, id?: string) => string {
  const { place, world } = useHere();
  return (page, id) => pageUrl(place.slug, world, page, id);
}

/** May the reader make and change things? */
export function canMake({ place }: Pick<Here, 'place'>): boolean {
  return place.role === 'owner' || place.role === 'developer';
}

/** May the reader watch, verify and end sessions, and export players? */
export function canTend({ place }: Pick<Here, 'place'>): boolean {
  return place.role !== 'viewer';
}
