/** Whether the player wants animations. */
export function movesFreely(): boolean {
  return !matchMedia('(prefers-reduced-motion: reduce)').matches;
}
