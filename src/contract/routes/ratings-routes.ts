/** Players and leaderboards (section 3a), as data. */

import { leaderList, player, ratingHistory } from '../answers/ratings-answers.ts';
import { leaderQuery, playerQuery, ratingHistoryQuery } from '../requests/ratings-requests.ts';
import type { Route } from './route.ts';

export const ratingRoutes = [
  {
    method: 'GET',
    path: '/v1/players/:playerId',
    operationId: 'getPlayer',
    scopes: ['read', 'players'],
    tag: 'Players',
    summary: 'Retrieve a player',
    auth: 'key',
    body: null,
    query: playerQuery,
    answers: { 200: { means: 'The player.', schema: player } },
    errors: ['invalid_field', 'invalid_choice', 'player_not_found'],
    rights: 'Includes ratings. A test key finds only players of test mode.',
  },
  {
    method: 'GET',
    path: '/v1/players/:playerId/rating-history',
    operationId: 'listRatingHistory',
    scopes: ['read', 'players'],
    tag: 'Players',
    summary: "List a player's rated matches of a game",
    auth: 'key',
    body: null,
    query: ratingHistoryQuery,
    answers: { 200: { means: 'A page of rated matches.', schema: ratingHistory } },
    errors: ['field_required', 'invalid_field', 'invalid_choice', 'player_not_found'],
    rights: 'A test key finds only players of test mode.',
  },
  {
    method: 'GET',
    path: '/v1/leaderboards',
    operationId: 'listLeaders',
    scopes: ['read', 'players'],
    tag: 'Players',
    summary: "List a game's leaderboard",
    auth: 'key',
    body: null,
    query: leaderQuery,
    answers: { 200: { means: 'A page of the board.', schema: leaderList } },
    errors: ['field_required', 'invalid_field', 'invalid_choice'],
    rights: 'A test key sees the board of test mode only.',
  },
] as const satisfies readonly Route[];
