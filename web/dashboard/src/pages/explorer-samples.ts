/** Calls for the API explorer, each of which works unchanged. */

export interface Sample {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly title: string;
  readonly body?: object;
}

const PLAYERS = [{ id: 'ann', displayName: 'Ann' }, { id: 'ben' }];

export const SAMPLES: readonly Sample[] = [
  { method: 'GET', path: '/v1/whoami', title: 'Identify the caller' },
  { method: 'GET', path: '/v1/games', title: 'List games' },
  { method: 'GET', path: '/v1/sessions?limit=5', title: 'List sessions' },
  {
    method: 'POST',
    path: '/v1/sessions',
    title: 'Create a session for two',
    body: { game: 'tictactoe', players: PLAYERS },
  },
  {
    method: 'POST',
    path: '/v1/sessions',
    title: 'Create a private room',
    body: { game: 'checkers', matchType: 'private', players: [{ id: 'ann' }] },
  },
  {
    method: 'POST',
    path: '/v1/sessions',
    title: 'Create a training session',
    body: { game: 'connect4', mode: 'training', options: { botDifficulty: 'easy' } },
  },
  {
    method: 'POST',
    path: '/v1/bots',
    title: 'Create a bot',
    body: { game: 'connect4', name: 'Tilly', kind: 'builtin', difficulty: 'medium' },
  },
  { method: 'GET', path: '/v1/bots', title: 'List bots' },
  { method: 'GET', path: '/v1/rooms?game=tictactoe', title: 'List rooms to watch' },
  {
    method: 'POST',
    path: '/matchmaking/hosted/ticket?game=ludo',
    title: 'Create a ticket',
    body: {},
  },
  { method: 'GET', path: '/matchmaking/hosted/pool?game=ludo', title: 'List groups in the pool' },
  { method: 'GET', path: '/v1/leaderboards?game=tictactoe', title: 'List leaders of a game' },
  { method: 'GET', path: '/v1/events?limit=5', title: 'List events' },
  { method: 'GET', path: '/v1/webhooks', title: 'List webhooks' },
  { method: 'GET', path: '/v1/integrity', title: 'List integrity credentials' },
];
