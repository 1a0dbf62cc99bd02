/** Bots: registered, switched on and off, tried out, with what they won. */

import { ask } from '../api.ts';
import { fetchGames } from '../games.ts';
import { type Context, canMake } from '../page.ts';
import { pageUrl } from '../place.ts';
import type { Page } from '../types.ts';
import { confirm, openDialog } from '../ui/dialog.ts';
import { button, el } from '../ui/dom.ts';
import { form } from '../ui/form.ts';
import { makeTable } from '../ui/table.ts';

interface Bot {
  readonly id: string;
  readonly game: string;
  readonly name: string;
  readonly displayName: string;
  readonly playerId: string;
  readonly kind: 'builtin' | 'external';
  readonly difficulty: string | null;
  readonly weight: number;
  readonly active: boolean;
}

interface Ratings {
  readonly ratings: Readonly<
    Record<string, { readonly wins: number; readonly losses: number; readonly draws: number }>
  >;
}

type ListedBot = Bot & { readonly record: string };

export async function bots(context: Context): Promise<HTMLElement> {
  const { api, world } = context;
  const path = `${api}/v1/bots`;
  const own = botTable('Bots', 'No bots yet. Press New bot to register one.', (bot) =>
    actions(context, bot, refresh),
  );
  // Shared with the test world, to be read and seated (rule K3).
  const live =
    world === 'live'
      ? null
      : botTable('Live bots', 'No live bots.', (bot) =>
          el('div', 'row-actions', tryButton(context, bot, refresh)),
        );
  async function refresh(): Promise<void> {
    const lists = [
      showBots(api, own, `${path}?mode=${world}&limit=100`),
      live && showBots(api, live, `${path}?mode=live&limit=100`),
    ];
    await Promise.all(lists);
  }
  await refresh();
  return el(
    'div',
    '',
    el('h1', '', 'Bots'),
    el('p', 'lead', `Bots of the ${world} world. The record is that of this world.`),
    canMake(context)
      ? el(
          'div',
          'actions',
          button('primary', 'New bot', () => openMaking(context, path, refresh)),
        )
      : null,
    own.element,
    live &&
      el(
        'section',
        'card',
        el('h2', '', 'Live bots'),
        el('p', '', 'Test matches seat these bots, too. Change them in the live world.'),
        live.element,
      ),
  );
}

function botTable(caption: string, empty: string, actionsOf: (bot: Bot) => HTMLElement) {
  return makeTable<ListedBot>(
    caption,
    [
      {
        title: 'Name',
        cell: ({ name, displayName }) => (name === displayName ? name : `${name} (${displayName})`),
      },
      { title: 'Game', cell: ({ game }) => game },
      {
        title: 'Kind',
        cell: ({ kind, difficulty }) => (difficulty === null ? kind : `${kind}, ${difficulty}`),
      },
      { title: 'Weight', cell: ({ weight }) => String(weight) },
      { title: 'Record', cell: ({ record }) => record },
      {
        title: 'State',
        cell: ({ active }) =>
          el('span', `badge ${active ? 'active' : 'ended'}`, active ? 'on' : 'off'),
      },
      { title: 'Actions', cell: actionsOf },
    ],
    ({ id }) => id,
    empty,
  );
}

async function showBots(
  api: string,
  table: ReturnType<typeof botTable>,
  path: string,
): Promise<void> {
  const { data } = await ask<Page<Bot>>(path);
  const records = await Promise.all(data.map((bot) => recordOf(api, bot)));
  table.show(data.map((bot, i) => ({ ...bot, record: records[i]! })));
}

/** A match of the test world against it; a program of the tenant's is not tried from here. */
function tryButton(context: Context, bot: Bot, refresh: () => Promise<void>): HTMLElement | null {
  const isTried = bot.active && bot.kind === 'builtin' && context.world === 'test';
  if (!isTried || !canMake(context)) return null;
  return button('small', 'Try', async () => {
    try {
      await tryOut(context, bot);
    } finally {
      await refresh();
    }
  });
}

function actions(context: Context, bot: Bot, refresh: () => Promise<void>): HTMLElement {
  const path = `${context.api}/v1/bots`;
  if (!canMake(context)) return el('span', 'muted', '—');
  const attempt = (act: () => Promise<unknown>) => async () => {
    try {
      await act();
    } finally {
      await refresh();
    }
  };
  return el(
    'div',
    'row-actions',
    button(
      'small',
      bot.active ? 'Switch off' : 'Switch on',
      attempt(() => ask(`${path}/${bot.id}`, { active: !bot.active }, 'PATCH')),
    ),
    tryButton(context, bot, refresh),
    button(
      'small danger',
      'Delete',
      attempt(async () => {
        const text = 'It plays the seats that it has to their end and gets no more.';
        if (!(await confirm(`Delete ${bot.name}?`, text, 'Delete'))) return;
        await ask(`${path}/${bot.id}`, undefined, 'DELETE');
      }),
    ),
  );
}

async function recordOf(api: string, { playerId, game }: Bot): Promise<string> {
  try {
    const player = `${api}/v1/players/${encodeURIComponent(playerId)}`;
    const found = (await ask<Ratings>(player)).ratings[game];
    return found === undefined
      ? '—'
      : `${found.wins} won, ${found.losses} lost, ${found.draws} drawn`;
  } catch {
    return '—'; // It never sat anywhere.
  }
}

/** A test match against it, in a window of its own; the session's page shows the rest. */
async function tryOut({ api, place, world, me, go }: Context, bot: Bot): Promise<void> {
  const player = `dashboard-${me.id.slice(-6)}`;
  const made = await ask<{ sessionId: string; playUrls: Record<string, string> }>(
    `${api}/v1/sessions`,
    { game: bot.game, matchType: 'private', players: [{ id: player, displayName: me.name }] },
  );
  await ask(`${api}/v1/sessions/${made.sessionId}/bots`, { botId: bot.id });
  const { pathname, hash } = new URL(made.playUrls[player]!);
  open(pathname + hash, '_blank', 'noopener');
  go(pageUrl(place.slug, world, 'sessions', made.sessionId));
}

async function openMaking(
  context: Context,
  path: string,
  refresh: () => Promise<void>,
): Promise<void> {
  const games = await fetchGames(context);
  const dialog = openDialog(
    'New bot',
    form(
      [
        { name: 'game', label: 'Game', options: games.map(({ game }) => [game, game] as const) },
        { name: 'name', label: 'Name' },
        {
          name: 'kind',
          label: 'Played by',
          options: [
            ['builtin', 'the service'],
            ['external', 'a program of yours'],
          ],
        },
        {
          name: 'difficulty',
          label: 'How well the service plays it',
          options: [
            ['medium', 'medium'],
            ['easy', 'easy'],
            ['hard', 'hard'],
            ['perfect', 'perfect'],
          ],
        },
      ],
      'Register',
      async ({ game, name, kind, difficulty }) => {
        const level = kind === 'builtin' ? { difficulty } : {};
        await ask(path, { game, name, kind, ...level });
        dialog.close();
        await refresh();
      },
      button('', 'Cancel', () => dialog.close()),
    ),
  );
}
