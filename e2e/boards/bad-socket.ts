/** A bad network inside a page: delays its sockets' frames as TCP would, in order and with stalls. */

import type { BrowserContext } from 'playwright-core';
import { TEST_SEED } from '../../src/testing/test-seed.ts';
import { scriptOf } from './page-chance.ts';

export interface BadLine {
  /** The round trip. Milliseconds. */
  readonly roundTripMs: number;
  /** The random addition or subtraction. */
  readonly jitterMs: number;
  /** Everything pauses regularly for this long, as after a lost packet. Milliseconds. */
  readonly stallMs: number;
  readonly stallEveryMs: number;
}

/** 120 ms round trip, ± 30 ms, and a stall of 200 ms every few seconds. */
export const BAD_LINE: BadLine = {
  roundTripMs: 120,
  jitterMs: 60,
  stallMs: 200,
  stallEveryMs: 3_000,
};

/** Call before the page is opened. */
export async function breakSockets(
  context: BrowserContext,
  line: BadLine,
  seed = TEST_SEED,
): Promise<void> {
  await context.addInitScript(scriptOf(replaceSocket, seed, line));
}

/** Runs in the page. */
function replaceSocket(
  chance: () => number,
  { roundTripMs, jitterMs, stallMs, stallEveryMs }: BadLine,
): void {
  const Original = window.WebSocket;
  let stalledUntil = 0;
  const plan = (): void => {
    const pause = stallEveryMs * (0.5 + chance());
    setTimeout(() => {
      stalledUntil = performance.now() + stallMs;
      plan();
    }, pause);
  };
  plan();
  /** One direction: no frame is lost or reordered. */
  const makeWay = () => {
    let last = 0;
    const under: (() => void)[] = [];
    return (deliver: () => void): void => {
      const now = performance.now();
      const jitter = (chance() - 0.5) * jitterMs;
      last = Math.max(last, stalledUntil, now + roundTripMs / 2 + jitter);
      under.push(deliver);
      setTimeout(() => under.shift()!(), last - now);
    };
  };
  window.WebSocket = class extends Original {
    #up = makeWay();
    #down = makeWay();

    constructor(url: string | URL, protocols?: string | string[]) {
      super(url, protocols);
      let isLate = false;
      // The first listener holds incoming frames back and dispatches them when they are due.
      super.addEventListener('message', (event) => {
        if (isLate) return;
        event.stopImmediatePropagation();
        const { data } = event;
        this.#down(() => {
          if (this.readyState !== Original.OPEN) return;
          isLate = true;
          this.dispatchEvent(new MessageEvent('message', { data }));
          isLate = false;
        });
      });
    }

    override send(data: string): void {
      this.#up(() => {
        if (this.readyState === Original.OPEN) super.send(data);
      });
    }
  };
}
