/** What a page gets and what it is. */

import type { Me, Place, World } from './types.ts';

export interface Context {
  readonly me: Me;
  /** The tenant it is about, and what the reader is there. */
  readonly place: Place;
  readonly world: World;
  readonly id: string | null;
  /** The path of this world's routes: `/t/<tenant>/<world>`. */
  readonly api: string;
  /** Goes to another page without loading anew. */
  go(url: string): void;
  /** Shows this page anew, and says something there. */
  reload(words?: string): void;
  /** Does something again and again while the page is shown and looked at; what fails is tried again. */
  every(ms: number, act: () => Promise<void>): void;
  /** Says something that is read out, and goes by itself. */
  say(text: string): void;
}

/** Makes what stands on the page; rejects with what is then shown instead. */
export type MakePage = (context: Context) => Promise<HTMLElement> | HTMLElement;

export function canMake({ place }: Context): boolean {
  return place.role === 'owner' || place.role === 'developer';
}
