/** A tenant that exceeds its plan on all nodes: no window lets more through. */

import { checkWindows } from '../../src/testing/matches/histories.ts';
import type { Backend } from './backend.ts';
import type { Asked } from './tickets.ts';

export interface LimitFigures {
  asked: number;
  /** By window: requests that were admitted. */
  readonly allowed: Map<string, number>;
}

const EVERY_MS = 60;

export async function askTooMuch(
  backend: Backend,
  figures: LimitFigures,
  isStopping: () => boolean,
): Promise<void> {
  while (!isStopping()) {
    void backend.ask({ method: 'GET', path: '/v1/whoami' }).then((answer) => {
      figures.asked += 1;
      const window = answer?.headers.get('x-ratelimit-reset') ?? null;
      if (answer?.status !== 200 || window === null) return;
      figures.allowed.set(window, (figures.allowed.get(window) ?? 0) + 1);
    });
    await Bun.sleep(EVERY_MS);
  }
}

export function checkLimits(found: Asked['found'], limit: number, figures: LimitFigures): void {
  for (const finding of checkWindows(limit, figures.allowed)) found(finding);
}
