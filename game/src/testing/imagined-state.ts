/** States that a game imagines for a viewer, and their random numbers. */

import type { Json, Seat } from '../game.ts';
import type { Random } from '../random.ts';
import { quickRandom } from './quick-random.ts';
import { deepFreeze } from './random-play.ts';
import type { Moment, Subject } from './subject.ts';

/** About how many positions checks of hidden information visit. */
export const SAMPLED_POSITIONS = 800;

export function viewerName(viewer: Seat | null): string {
  return viewer === null ? 'a watcher' : `seat ${viewer}`;
}

export function randomFor({ seed }: Subject, { game, ply }: Moment, name: string): Random {
  return quickRandom(`${seed} ${name} in ${game} after ${ply}`);
}

/** The game's `imagine` on a position. `world` numbers the imagined states of one viewer. */
export function imagined(
  subject: Subject,
  moment: Moment,
  viewer: Seat | null,
  world: number,
): Json {
  const random = randomFor(subject, moment, `world ${world} of ${viewer}`);
  return deepFreeze(subject.game.imagine!(moment.position.state, viewer, random));
}
