/** The animations of checkers pieces, with the time when they end. */

import type { Page } from 'playwright-core';

/** The points that it passes, including both ends, and its delay. Milliseconds. */
interface Walk {
  readonly frames: number;
  readonly delay: number;
}

/** Runs in the page: records each animation of a piece from then on as it begins. */
export function recordWalks(): void {
  const walks: Walk[] = [];
  Object.assign(window, { walks });
  const { animate } = Element.prototype;
  Element.prototype.animate = function (frames, options) {
    const begun = animate.call(this, frames, options);
    const effect = begun.effect as KeyframeEffect;
    if (this.closest('.ck-pieces') !== null) {
      walks.push({ frames: effect.getKeyframes().length, delay: effect.getTiming().delay ?? 0 });
    }
    return begun;
  };
}

export const walksOf = (page: Page): Promise<readonly Walk[]> =>
  page.evaluate(() => (window as unknown as { walks: Walk[] }).walks);
