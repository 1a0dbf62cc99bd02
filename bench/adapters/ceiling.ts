/** Plays on the ceiling: matchd's frames, on a server that relays and does nothing else. */

import { makeHttpClient } from '../driving/http-client.ts';
import type { MakeAdapter } from '../driving/match.ts';
import { matchdFramesAwaited, openMatchdMatch } from './matchd.ts';

const HTTP_CONNECTIONS = 32;
const PROTOCOLS = ['matchd.v1'];

export const makeCeilingAdapter: MakeAdapter = (target) => {
  const http = makeHttpClient(target.address, HTTP_CONNECTIONS);
  return {
    async open(index, plies, events) {
      const { body } = await http.post(`/matches/${plies}`, {});
      const { sessionId } = JSON.parse(body) as { sessionId: string };
      const doors = [0, 1].map((seat) => ({
        path: `/socket/${sessionId}/${seat}`,
        protocols: PROTOCOLS,
      }));
      return openMatchdMatch(target, index, sessionId, doors, events, 1);
    },
    framesAwaited: (isLast) => matchdFramesAwaited(isLast, 1),
    close: () => http.close(),
  };
};
