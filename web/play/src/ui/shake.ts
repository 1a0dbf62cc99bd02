/** A short shake: the attempted action is not possible. */

import { movesFreely } from './motion.ts';

const SHAKE_MS = 260;

export function shake(element: HTMLElement): void {
  if (!movesFreely()) return;
  const frames = [0, -5, 5, -3, 3, 0].map((x) => ({ transform: `translateX(${x}px)` }));
  element.animate(frames, { duration: SHAKE_MS, easing: 'ease-out' });
}
