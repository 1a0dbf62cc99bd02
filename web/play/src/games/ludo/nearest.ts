/**
 * Which of several tokens a tap means: targets of 44 px overlap where squares are smaller. Pure.
 */

/** The middle of a token on the screen. CSS pixels. */
export interface Target {
  readonly x: number;
  readonly y: number;
  readonly isFree: boolean;
}

/** Half of the least size of a target. CSS pixels. */
export const REACH_PX = 22;

/** The nearest one in reach; one that can move has priority over one that cannot. Null if there is none. */
export function nearestOf<T extends Target>(
  targets: readonly T[],
  x: number,
  y: number,
  reach = REACH_PX,
): T | null {
  const away = (target: T): number => Math.hypot(target.x - x, target.y - y);
  const inReach = targets
    .filter((target) => away(target) <= Math.max(reach, REACH_PX))
    .sort((a, b) => Number(b.isFree) - Number(a.isFree) || away(a) - away(b));
  return inReach[0] ?? null;
}
