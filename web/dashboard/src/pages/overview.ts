/** The overview: what happened last, and what to do first. */

import { ask } from '../api.ts';
import type { Context } from '../page.ts';
import { ownUrl, pageUrl } from '../place.ts';
import type { EventRow, Page, Step } from '../types.ts';
import { copyable, el, link, withAttributes } from '../ui/dom.ts';
import { makeKeyAlerts } from '../ui/key-alerts.ts';
import { makeSlowGames } from '../ui/slow-games.ts';
import { makeTable } from '../ui/table.ts';
import { time } from '../ui/time.ts';

const REFRESH_MS = 3_000;
const SLOW_GAMES_MS = 30_000;

interface Overview {
  readonly steps: readonly Step[];
  readonly events: Page<EventRow>['data'];
}

/** What each step is called, and where it is taken. */
const STEPS: Readonly<Record<string, readonly [label: string, page: string]>> = {
  key_created: ['Make an API key', 'keys'],
  key_used: ['Call the interface with it', 'explorer'],
  session_created: ['Create a session', 'explorer'],
  match_started: ['Have both players connect', 'sessions'],
  match_ended: ['Play a match to its end', 'sessions'],
  origins_set: ['Say from which sites a key may be used', 'keys'],
  webhook_added: ['Be told of what happens by a webhook', 'webhooks'],
  second_factor: ['Protect your account with a second factor', 'account'],
};

export async function overview(context: Context): Promise<HTMLElement> {
  const { place, world, api } = context;
  const steps = el('ol', 'steps');
  const events = makeTable<EventRow>(
    'What happened last',
    [
      { title: 'When', cell: ({ timestamp }) => time(timestamp) },
      { title: 'What', cell: ({ type }) => el('code', '', type) },
      {
        title: 'Session',
        cell: ({ sessionId }) =>
          sessionId === undefined
            ? '—'
            : link(pageUrl(place.slug, world, 'sessions', sessionId), 'id', sessionId),
      },
    ],
    ({ id }) => id,
    'Nothing yet. Create a session, and it stands here at once.',
  );
  const alerts = makeKeyAlerts(context);
  const slowGames = makeSlowGames(context);
  const refresh = async (): Promise<void> => {
    await alerts.refresh();
    const found = await ask<Overview>(`${api}/overview`);
    const text = JSON.stringify(found.steps);
    if (steps.dataset['shown'] !== text) showSteps(context, steps, found.steps);
    steps.dataset['shown'] = text;
    events.show(found.events);
  };
  await Promise.all([refresh(), slowGames.refresh()]);
  context.every(REFRESH_MS, refresh);
  context.every(SLOW_GAMES_MS, slowGames.refresh);
  return el(
    'div',
    '',
    el('h1', '', 'Overview'),
    el('p', 'lead', `The ${world} world of ${place.name}.`),
    alerts.element,
    slowGames.element,
    el('section', 'card', el('h2', '', 'Getting started'), steps),
    firstCall(context),
    el('section', 'card', el('h2', '', 'What happened last'), events.element),
  );
}

function showSteps({ place, world }: Context, list: HTMLElement, steps: readonly Step[]): void {
  const items = steps.map(({ name, at }) => {
    const [label, page] = STEPS[name] ?? [name, 'overview'];
    const url = page === 'account' ? ownUrl('account') : pageUrl(place.slug, world, page);
    const state = el('span', 'tick', at === null ? '○' : '✓');
    state.setAttribute('aria-hidden', 'true');
    const words = el('span', 'unseen', at === null ? 'Open: ' : 'Done: ');
    return withAttributes(el('li', at === null ? '' : 'done', state, words, link(url, '', label)), {
      'data-step': name,
    });
  });
  list.replaceChildren(...items);
}

/** The next command to copy. The key stands for itself: it is shown only when it is made. */
function firstCall({ world }: Context): HTMLElement {
  const command = [
    `curl -s ${location.origin}/v1/sessions`,
    `  -H 'Authorization: Bearer mk_${world}_…'`,
    "  -H 'Content-Type: application/json'",
    `  -d '{"game":"tictactoe","players":[{"id":"ann"},{"id":"ben"}]}'`,
  ].join(' \\\n');
  return el(
    'details',
    'card',
    el('summary', '', 'A first call to copy'),
    el('p', '', 'With your key in its place:'),
    copyable(command),
  );
}
