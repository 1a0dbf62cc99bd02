/** Players: found by their id; history, ratings, export, erasing. */

import { ask, type Json } from '../api.ts';
import { makeNewestFirst } from '../newest-first.ts';
import type { Context } from '../page.ts';
import { pageUrl } from '../place.ts';
import type { Page, Session } from '../types.ts';
import { confirm } from '../ui/dialog.ts';
import { button, el, link, withAttributes } from '../ui/dom.ts';
import { makeTable } from '../ui/table.ts';
import { time } from '../ui/time.ts';
import { resultWords } from '../words/result.ts';

interface Found {
  readonly playerId: string;
  readonly displayName: string | null;
  readonly createdAt: string;
}

/** The service finds no more at once. */
const FOUND_MAX = 50;

interface Rating {
  readonly rating: number;
  readonly deviation: number;
  readonly games: number;
  readonly wins: number;
  readonly losses: number;
  readonly draws: number;
}

export async function players(context: Context): Promise<HTMLElement> {
  const { api, world } = context;
  const shown = el('div', '');
  const table = makeTable<Found>(
    'Players',
    [
      {
        title: 'Player',
        cell: ({ playerId }) =>
          button('linkish', playerId, () => showPlayer(context, playerId, shown)),
      },
      { title: 'Name', cell: ({ displayName }) => displayName ?? '—' },
      { title: 'First seen', cell: ({ createdAt }) => time(createdAt) },
    ],
    ({ playerId }) => playerId,
    'Nobody whose id begins like that.',
  );
  const find = withAttributes(el('input', ''), {
    type: 'search',
    placeholder: 'Beginning of the player id',
    'aria-label': 'Beginning of the player id',
  });
  // An answer to what stood there before does not replace a later one.
  const list = makeNewestFirst<Found>({
    pageRows: FOUND_MAX,
    ask: () => ask(`${api}/players?${new URLSearchParams({ find: find.value })}`),
    keyOf: ({ playerId }) => playerId,
    show: (rows) => table.show(rows),
  });
  find.addEventListener('input', () => void list.start());
  await list.start();
  return el(
    'div',
    '',
    el('h1', '', 'Players'),
    el(
      'p',
      'lead',
      `Players of the ${world} world, by your own ids. The first ${FOUND_MAX} that fit.`,
    ),
    el('div', 'filters', find),
    shown,
    table.element,
  );
}

async function showPlayer(context: Context, id: string, shown: HTMLElement): Promise<void> {
  const { api, place, world } = context;
  const path = `${api}/v1/players/${encodeURIComponent(id)}`;
  const history = makeTable<Session>(
    'History',
    [
      {
        title: 'Session',
        cell: ({ sessionId }) =>
          link(pageUrl(place.slug, world, 'sessions', sessionId), 'id', sessionId),
      },
      { title: 'Game', cell: ({ game }) => game },
      { title: 'Result', cell: resultWords },
      { title: 'Created', cell: ({ createdAt }) => time(createdAt) },
    ],
    ({ sessionId }) => sessionId,
    `No session in the ${world} world.`,
  );
  const ratings = makeTable<Rating & { readonly game: string }>(
    'Ratings',
    [
      { title: 'Game', cell: ({ game }) => game },
      {
        title: 'Rating',
        cell: ({ rating, deviation }) => `${Math.round(rating)} ± ${Math.round(2 * deviation)}`,
      },
      { title: 'Matches', cell: ({ games }) => String(games) },
      {
        title: 'Won, lost, drawn',
        cell: ({ wins, losses, draws }) => `${wins}, ${losses}, ${draws}`,
      },
    ],
    ({ game }) => game,
    'No rated match.',
  );
  const query = new URLSearchParams({ player: id, limit: '25' });
  const [sessions, player] = await Promise.all([
    ask<Page<Session>>(`${api}/v1/sessions?${query}`),
    ask<{ ratings: Record<string, Rating> }>(path).catch(() => ({ ratings: {} })),
  ]);
  history.show(sessions.data);
  ratings.show(Object.entries(player.ratings).map(([game, each]) => ({ game, ...each })));
  const heading = withAttributes(el('h2', 'id', id), { tabindex: '-1' });
  shown.replaceChildren(
    el(
      'section',
      'card',
      heading,
      makeActions(context, id, path),
      el('h3', '', 'Ratings'),
      ratings.element,
      el('h3', '', 'History'),
      history.element,
    ),
  );
  heading.focus();
}

function makeActions(
  { place, world, say, reload }: Context,
  id: string,
  path: string,
): HTMLElement {
  const save = button('', 'Export', async () => {
    const held = await ask<Json>(`${path}/export`);
    const file = new Blob([JSON.stringify(held, null, 2)], { type: 'application/json' });
    const made = withAttributes(link(URL.createObjectURL(file), ''), {
      download: `player-${id}.json`,
    });
    made.click();
    say('All that is held about the player is in the file.');
  });
  const erase = button('danger', 'Erase', async () => {
    const text = `Who ${id} is goes for good from the ${world} world; results and numbers stay.`;
    if (!(await confirm(`Erase ${id}?`, text, 'Erase'))) return;
    await ask(path, undefined, 'DELETE');
    reload('The player is erased.');
  });
  const mayErase = place.role === 'owner';
  const why = el('span', 'hint', 'Erasing is for owners.');
  return el('div', 'actions', save, mayErase ? erase : why);
}
