/** States that look the same to a viewer as the true one, as the game itself imagines them. */

import type { Json, Seat } from '../game.ts';
import type { Random } from '../random.ts';
import { quickChance } from './quick-chance.ts';
import { deepFreeze } from './random-play.ts';
import type { Moment, Subject } from './subject.ts';

/** Positions that are looked at, about. */
export const LOOKS = 800;

export function nameOf(viewer: Seat | null): string {
  return viewer === null ? 'a watcher' : `seat ${viewer}`;
}

export function chanceOf({ seed }: Subject, { game, ply }: Moment, name: string): Random {
  return quickChance(`${seed} ${name} in ${game} after ${ply}`);
}

/** A state that looks the same to the viewer, by the game's own word. */
export function imagined(
  subject: Subject,
  moment: Moment,
  viewer: Seat | null,
  world: number,
): Json {
  const random = chanceOf(subject, moment, `world ${world} of ${viewer}`);
  return deepFreeze(subject.game.imagine!(moment.position.state, viewer, random));
}
