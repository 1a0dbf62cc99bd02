/** Does the player want things to move? */
export function movesFreely(): boolean {
  return !matchMedia('(prefers-reduced-motion: reduce)').matches;
}
