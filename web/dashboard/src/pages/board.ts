/** Hosted matchmaking: tickets that are forming, groups that wait in the pool. */

import { ask } from '../api.ts';
import { type Context, canMake } from '../page.ts';
import type { Page } from '../types.ts';
import { confirm } from '../ui/dialog.ts';
import { button, el } from '../ui/dom.ts';
import { makeTable } from '../ui/table.ts';
import { time } from '../ui/time.ts';

const REFRESH_MS = 2_000;

interface Ticket {
  readonly ticketId: string;
  readonly groupId: string | null;
  readonly game: string;
  readonly status: 'forming' | 'promoted';
  readonly capacity: number;
  readonly players: readonly { readonly id: string | null }[];
  readonly createdAt: string;
}

export async function board(context: Context): Promise<HTMLElement> {
  const { api } = context;
  const makeSide = (label: string, empty: string) =>
    makeTable<Ticket>(
      label,
      [
        { title: 'Id', cell: ({ ticketId, groupId }) => el('code', 'id', groupId ?? ticketId) },
        { title: 'Game', cell: ({ game }) => game },
        {
          title: 'Players',
          cell: ({ players }) => players.map(({ id }) => id ?? 'erased').join(', '),
        },
        { title: 'Places', cell: ({ players, capacity }) => `${players.length} of ${capacity}` },
        { title: 'Made', cell: ({ createdAt }) => time(createdAt) },
        { title: 'Actions', cell: (ticket) => actions(context, ticket, refresh) },
      ],
      ({ ticketId }) => ticketId,
      empty,
    );
  const forming = makeSide('Tickets that are forming', 'No ticket is forming.');
  const groups = makeSide('Groups in the pool', 'The pool is empty.');
  async function refresh(): Promise<void> {
    const { data } = await ask<Page<Ticket>>(`${api}/board`);
    forming.show(data.filter(({ status }) => status === 'forming'));
    groups.show(data.filter(({ status }) => status === 'promoted'));
  }
  await refresh();
  context.every(REFRESH_MS, refresh);
  return el(
    'div',
    '',
    el('h1', '', 'Tickets and groups'),
    el('p', 'lead', 'Nothing here happens by itself: each step is a call of your backend.'),
    el('section', 'card', el('h2', '', 'Forming'), forming.element),
    el('section', 'card', el('h2', '', 'In the pool'), groups.element),
  );
}

/** In the live world these steps are the backend's. */
function actions(context: Context, ticket: Ticket, refresh: () => Promise<void>): HTMLElement {
  const { api, world } = context;
  if (world === 'live' || !canMake(context)) return el('span', 'muted', '—');
  const { ticketId, groupId, game } = ticket;
  const query = `?game=${game}`;
  const hosted = `${api}/matchmaking/hosted`;
  const attempt = (act: () => Promise<unknown>) => async () => {
    try {
      await act();
    } finally {
      await refresh();
    }
  };
  if (groupId === null) {
    return button(
      'small',
      'Promote',
      attempt(() => ask(`${hosted}/ticket/${ticketId}/promote${query}`, {})),
    );
  }
  return el(
    'div',
    'row-actions',
    button(
      'small',
      'Start',
      attempt(() => ask(`${hosted}/start-match${query}`, { groupIds: [groupId] })),
    ),
    button(
      'small danger',
      'Cancel',
      attempt(async () => {
        if (!(await confirm('Cancel this group?', 'Its players are free again.', 'Cancel it')))
          return;
        await ask(`${hosted}/groups/${groupId}${query}`, undefined, 'DELETE');
      }),
    ),
  );
}
