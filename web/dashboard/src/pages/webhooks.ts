/** Webhooks: who is told of what, deliveries with their tries, rotation of secrets. */

import { ask } from '../api.ts';
import { type Context, canMake } from '../page.ts';
import type { Page } from '../types.ts';
import { confirm, openDialog, showOnce } from '../ui/dialog.ts';
import { button, copyable, el } from '../ui/dom.ts';
import { form } from '../ui/form.ts';
import { makeTable } from '../ui/table.ts';
import { time } from '../ui/time.ts';

interface Webhook {
  readonly id: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly description: string;
  readonly active: boolean;
  readonly disabledReason: string | null;
  readonly failingSince: string | null;
}

/** How one request to the endpoint went. */
interface Outcome {
  readonly delivered: boolean;
  readonly status: number | null;
  readonly error: string | null;
}

interface Delivery {
  readonly eventId: string;
  readonly type: string;
  readonly attempt: number;
  readonly at: string;
  readonly durationMs: number;
  readonly status: number | null;
  readonly error: string | null;
  readonly nextAttemptAt: string | null;
}

export async function webhooks(context: Context): Promise<HTMLElement> {
  const { world } = context;
  const path = `${context.api}/v1/webhooks`;
  const deliveries = el('div', '');
  const table = makeTable<Webhook>(
    'Webhooks',
    [
      { title: 'URL', cell: ({ url }) => el('code', 'id', url) },
      {
        title: 'Events',
        cell: ({ events }) =>
          events.join(', ') || 'all but move.made, key.alert and audit.anchored',
      },
      { title: 'State', cell: stateOf },
      { title: 'Failing since', cell: ({ failingSince }) => time(failingSince, 'not failing') },
      { title: 'Actions', cell: (hook) => actions(context, hook, deliveries, refresh) },
    ],
    ({ id }) => id,
    'Nobody is told yet.',
  );
  async function refresh(): Promise<void> {
    table.show((await ask<Page<Webhook>>(`${path}?limit=100`)).data);
  }
  await refresh();
  return el(
    'div',
    '',
    el('h1', '', 'Webhooks'),
    el('p', 'lead', `What happens in the ${world} world, signed, told to your servers.`),
    canMake(context)
      ? el(
          'div',
          'actions',
          button('primary', 'New webhook', () => openMaking(path, refresh)),
        )
      : null,
    table.element,
    deliveries,
  );
}

function actions(
  context: Context,
  hook: Webhook,
  shown: HTMLElement,
  refresh: () => Promise<void>,
): HTMLElement {
  const attempt = (act: () => Promise<unknown>) => async () => {
    try {
      await act();
    } finally {
      await refresh();
    }
  };
  const own = `${context.api}/v1/webhooks/${hook.id}`;
  const look = button('small', 'Deliveries', () => showDeliveries(context, hook, shown));
  if (!canMake(context)) return look;
  return el(
    'div',
    'row-actions',
    look,
    button(
      'small',
      'Test',
      attempt(async () => {
        context.say(outcomeWords(await ask<Outcome>(`${own}/test`, {})));
      }),
    ),
    button(
      'small',
      hook.active ? 'Pause' : 'Switch on',
      attempt(() => ask(own, { active: !hook.active }, 'PATCH')),
    ),
    button(
      'small',
      'Rotate',
      attempt(async () => {
        const { secret } = await ask<{ secret: string }>(`${own}/rotate`, {});
        await showSecret('The new secret', secret, 'For a day both sign what is sent.');
      }),
    ),
    button(
      'small danger',
      'Delete',
      attempt(async () => {
        if (!(await confirm('Delete this webhook?', hook.url, 'Delete'))) return;
        await ask(own, undefined, 'DELETE');
      }),
    ),
  );
}

function outcomeWords({ delivered, status, error }: Outcome): string {
  return delivered ? `Delivered: ${status}.` : `Not delivered: ${error ?? status}.`;
}

function stateOf({ active, disabledReason }: Webhook): HTMLElement {
  return el(
    'span',
    `badge ${active ? 'active' : 'failed'}`,
    active ? 'on' : (disabledReason ?? 'off'),
  );
}

async function showDeliveries(context: Context, hook: Webhook, shown: HTMLElement): Promise<void> {
  const { api, say } = context;
  const table = makeTable<Delivery>(
    'Deliveries',
    [
      { title: 'When', cell: ({ at }) => time(at) },
      { title: 'Event', cell: ({ type }) => el('code', '', type) },
      { title: 'Try', cell: ({ attempt }) => String(attempt) },
      {
        title: 'Answer',
        cell: ({ status, error }) =>
          el('span', `badge ${error === null ? 'active' : 'failed'}`, error ?? String(status)),
      },
      { title: 'Took', cell: ({ durationMs }) => `${durationMs} ms` },
      { title: 'Next try', cell: ({ nextAttemptAt }) => time(nextAttemptAt, '—') },
      { title: 'Event id', cell: ({ eventId }) => el('code', 'id', eventId) },
      {
        title: 'Actions',
        cell: ({ eventId, type }) =>
          // Of a test nothing is kept, so there is nothing to send again.
          type === 'webhook.test' || !canMake(context)
            ? '—'
            : button('small', 'Send again', async () => {
                const path = `${api}/webhooks/${hook.id}/resend`;
                try {
                  say(outcomeWords(await ask<Outcome>(path, { eventId })));
                } finally {
                  await showDeliveries(context, hook, shown);
                }
              }),
      },
    ],
    ({ eventId, attempt, at }) => `${eventId} ${attempt} ${at}`,
    'Nothing was sent yet.',
  );
  table.show((await ask<Page<Delivery>>(`${api}/v1/webhooks/${hook.id}/deliveries?limit=50`)).data);
  shown.replaceChildren(
    el('section', 'card', el('h2', '', 'Deliveries'), el('p', 'muted id', hook.url), table.element),
  );
}

function openMaking(path: string, refresh: () => Promise<void>): void {
  const dialog = openDialog(
    'New webhook',
    form(
      [
        { name: 'url', label: 'URL', hint: 'https, on port 443 or 8443 of a public host.' },
        {
          name: 'events',
          label: 'Events',
          required: false,
          hint: 'Names with spaces between, e.g. session.ended. Empty: all but move.made, key.alert and audit.anchored.',
        },
        { name: 'description', label: 'Note', required: false },
      ],
      'Make it',
      async ({ url, events, description }) => {
        const body = { url, description, events: events!.split(/[\s,]+/).filter(Boolean) };
        const { secret } = await ask<{ secret: string }>(path, body);
        dialog.close();
        await showSecret('The secret', secret, 'It signs what is sent: check it on your side.');
        await refresh();
      },
      button('', 'Cancel', () => dialog.close()),
    ),
  );
}

function showSecret(title: string, secret: string, words: string): Promise<void> {
  return showOnce(
    title,
    el('p', '', `Keep it now: it is shown this once. ${words}`),
    copyable(secret),
  );
}
