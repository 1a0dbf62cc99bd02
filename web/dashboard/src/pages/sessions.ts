/** The list of sessions, which keeps itself up to date. */

import { ask } from '../api.ts';
import { fetchGames } from '../games.ts';
import { makeNewestFirst } from '../newest-first.ts';
import type { Context } from '../page.ts';
import { pageUrl } from '../place.ts';
import type { Page, Session } from '../types.ts';
import { button, el, link, withAttributes } from '../ui/dom.ts';
import { makeTable } from '../ui/table.ts';
import { time } from '../ui/time.ts';

const REFRESH_MS = 2_000;
const PAGE_ROWS = 25;

const STATUSES = ['pending', 'active', 'ended'] as const;

export async function sessions(context: Context): Promise<HTMLElement> {
  const { api, place, world } = context;
  const games = (await fetchGames(context)).map(({ game: id }) => id);
  const game = choice('Game', 'All games', games);
  const status = choice('Status', 'Any status', STATUSES);
  const player = withAttributes(el('input', ''), {
    type: 'search',
    placeholder: 'Player id',
    'aria-label': 'Player id',
  });
  const table = makeTable<Session>(
    'Sessions',
    [
      {
        title: 'Session',
        cell: ({ sessionId }) =>
          link(pageUrl(place.slug, world, 'sessions', sessionId), 'id', sessionId),
      },
      { title: 'Game', cell: ({ game: name }) => name },
      { title: 'Status', cell: ({ status: is }) => el('span', `badge ${is}`, is) },
      { title: 'Players', cell: playerWords },
      { title: 'Result', cell: resultWords },
      { title: 'Created', cell: ({ createdAt }) => time(createdAt) },
    ],
    ({ sessionId }) => sessionId,
    'No session fits.',
  );
  const more = button('', 'Older sessions', () => list.older());
  const list = makeNewestFirst<Session>({
    pageRows: PAGE_ROWS,
    ask(limit, cursor) {
      const query = new URLSearchParams({ limit: String(limit) });
      if (game.value !== '') query.set('game', game.value);
      if (status.value !== '') query.set('status', status.value);
      if (player.value !== '') query.set('player', player.value);
      if (cursor !== null) query.set('cursor', cursor);
      return ask<Page<Session>>(`${api}/v1/sessions?${query}`);
    },
    keyOf: ({ sessionId }) => sessionId,
    show(rows, hasOlder) {
      table.show(rows);
      more.hidden = !hasOlder;
    },
  });
  for (const each of [game, status]) each.addEventListener('change', list.start);
  player.addEventListener('input', list.start);
  await list.start();
  context.every(REFRESH_MS, list.refresh);
  return el(
    'div',
    '',
    el('h1', '', 'Sessions'),
    el('p', 'lead', 'The newest first. The list keeps itself up to date.'),
    el('div', 'filters', game, status, player),
    table.element,
    el('div', 'actions', more),
  );
}

function choice(label: string, all: string, values: readonly string[]): HTMLSelectElement {
  const options = [['', all] as const, ...values.map((value) => [value, value] as const)].map(
    ([value, text]) => withAttributes(el('option', '', text), { value }),
  );
  return withAttributes(el('select', '', ...options), { 'aria-label': label });
}

export function playerWords({ players }: Session): string {
  return players
    .map(({ id, displayName, isBot }) => {
      const name = displayName ?? id ?? 'erased';
      return isBot ? `${name} (bot)` : name;
    })
    .join(', ');
}

export function resultWords({ result }: Session): string {
  if (result === null) return '—';
  return result.winner === null ? result.reason : `${result.winner}: ${result.reason}`;
}
