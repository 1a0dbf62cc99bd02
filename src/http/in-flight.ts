/** The requests that are being answered: who stops the service waits for them. */

import { makeCalls } from '../runtime/calls.ts';
import type { Clock } from '../runtime/ports.ts';
import type { HttpApp } from './app.ts';

/** The platform writes an answer in a turn of its own, after it has got it. Ms. */
const WRITE_MS = 20;

export interface InFlight extends HttpApp {
  /**
   * Ends once no request is without its answer, and the answers are written: streams without an end
   * apart, which others end. Never rejects.
   */
  ended(): Promise<void>;
}

export function makeInFlight(app: HttpApp, clock: Clock): InFlight {
  const answers = makeCalls();
  return {
    ...app,
    fetch: (request, peer) => answers.note(app.fetch(request, peer)),
    refuse: (request, peer, why) => answers.note(app.refuse(request, peer, why)),
    async ended() {
      await answers.ended();
      await app.bodiesEnded();
      await new Promise<void>((resolve) => void clock.after(WRITE_MS, resolve));
    },
  };
}
