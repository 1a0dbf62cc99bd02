/** The routes of games, as data. */

import { gameList } from '../answers/games-answers.ts';
import type { Route } from './route.ts';

export const gameRoutes = [
  {
    method: 'GET',
    path: '/v1/games',
    operationId: 'listGames',
    scopes: ['read', 'sessions', 'matchmaking'],
    tag: 'Games',
    summary: 'List games',
    auth: 'key',
    body: null,
    query: null,
    answers: {
      200: { means: 'All games with their variants, seats and options.', schema: gameList },
    },
    errors: [],
    rights: null,
  },
] as const satisfies readonly Route[];
