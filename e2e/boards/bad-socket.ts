/** A bad line within a page: its sockets are delayed as TCP shows a bad network, in order and with stalls. */

import type { BrowserContext } from 'playwright-core';
import { TEST_SEED } from '../../src/testing/test-seed.ts';
import { scriptOf } from './page-chance.ts';

export interface BadLine {
  /** There and back, milliseconds. */
  readonly roundTripMs: number;
  /** The random addition or subtraction. */
  readonly jitterMs: number;
  /** Everything pauses for this long, regularly, as after a lost packet. Milliseconds. */
  readonly stallMs: number;
  readonly stallEveryMs: number;
}

/** 120 ms there and back, 30 more or less, and 200 ms of nothing every few seconds. */
export const BAD_LINE: BadLine = {
  roundTripMs: 120,
  jitterMs: 60,
  stallMs: 200,
  stallEveryMs: 3_000,
};

/** To be called before the page is opened. */
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
  /** One direction: nothing is lost, and nothing overtakes. */
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
      // The first listener: incoming frames are held back, and passed on when they are due.
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
