/** Creates sessions of the queue concisely. */

import type { Ask, Asked, Asking } from './asking.ts';

export interface QueueAsking {
  /** Creates a session of tic-tac-toe for these players, or of what `change` says. */
  make(ids: string | readonly string[], change?: object, asking?: Ask): Promise<Asked>;
  /** Retrieves a session. */
  view(id: string): Promise<Asked>;
}

/** `ask` is read at each call: a test's tenant may change. */
export function makeQueueAsking(ask: () => Asking): QueueAsking {
  return {
    make: (ids, change = {}, asking = {}) =>
      ask()('/v1/sessions', {
        body: { game: 'tictactoe', players: [ids].flat().map((id) => ({ id })), ...change },
        ...asking,
      }),
    view: (id) => ask()(`/v1/sessions/${id}`),
  };
}

/** A session with more seats than two players fill. */
export const FOUR_SEATS = { game: 'ludo', seats: 4 };

export const sessionOf = ({ json }: Asked): string => json.sessionId;

/** The players' ids, sorted. */
export const idsOf = ({ json }: Asked): string[] =>
  json.players.map(({ id }: { id: string }) => id).sort();
