/** Requests in progress: a shutdown waits for them. */

import { makeCalls } from '../runtime/limits/calls.ts';
import type { Clock } from '../runtime/ports.ts';
import type { HttpApp } from './app.ts';

/** The platform writes a response one turn after it gets it. Ms. */
const WRITE_MS = 20;

export interface InFlight extends HttpApp {
  /**
   * Resolves when no request is unanswered, and the responses are written, except endless streams, which are ended
   * elsewhere. Never rejects.
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
