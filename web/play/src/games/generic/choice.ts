/** A player's taps so far, and the taps or buttons that remain. Pure. */

import type { Play, Tap } from './actions.ts';
import type { Path } from './layout.ts';

/** A cell or a chip. */
export interface Spot {
  readonly path: Path;
  readonly index: number;
}

export interface Offer {
  /** Spots that can be tapped next, by the path of their part. */
  readonly spots: ReadonlyMap<Path, ReadonlySet<number>>;
  /** Actions to be chosen by a button: those that match all taps so far, or need no tap. */
  readonly buttons: readonly Play[];
}

/** The result of a tap: an action to play, or the new choice. */
export type Tapped =
  | { readonly kind: 'play'; readonly play: Play }
  | { readonly kind: 'chosen'; readonly chosen: readonly Spot[] };

export function offerAfter(plays: readonly Play[], chosen: readonly Spot[]): Offer {
  const spots = new Map<Path, Set<number>>();
  for (const { taps } of playsAfter(plays, chosen)) {
    const next = taps[chosen.length];
    if (next === undefined) continue;
    const known = spots.get(next.path) ?? new Set();
    spots.set(next.path, known);
    for (const index of next.at) known.add(index);
  }
  const buttons = playsAfter(plays, chosen).filter(({ taps }) => taps.length === chosen.length);
  return { spots, buttons };
}

/** A spot that continues the selection extends it; one that can begin an action restarts it; any other clears it. */
export function tap(plays: readonly Play[], chosen: readonly Spot[], spot: Spot): Tapped {
  for (const before of chosen.length === 0 ? [[]] : [chosen, []]) {
    const next = [...before, spot];
    const left = playsAfter(plays, next);
    if (left.length === 0) continue;
    // A second tap on the first spot deselects it.
    if (before.length === 0 && isSameSpot(chosen.at(-1), spot)) break;
    const [only] = left;
    if (left.length === 1 && only!.taps.length === next.length)
      return { kind: 'play', play: only! };
    return { kind: 'chosen', chosen: next };
  }
  return { kind: 'chosen', chosen: [] };
}

/** The part of a choice that is still valid after a change: all of it, or nothing. */
export function validChoice(plays: readonly Play[], chosen: readonly Spot[]): readonly Spot[] {
  return playsAfter(plays, chosen).length > 0 ? chosen : [];
}

function playsAfter(plays: readonly Play[], chosen: readonly Spot[]): readonly Play[] {
  return plays.filter(({ taps }) => chosen.every((spot, place) => holds(taps[place], spot)));
}

function holds(tapped: Tap | undefined, { path, index }: Spot): boolean {
  return tapped !== undefined && tapped.path === path && tapped.at.includes(index);
}

function isSameSpot(one: Spot | undefined, other: Spot): boolean {
  return one !== undefined && one.path === other.path && one.index === other.index;
}
