/** API keys: made and shown once, bounded to origins, rotated with overlap, revoked. */

import { ask } from '../api.ts';
import type { Context } from '../page.ts';
import type { Key, Page } from '../types.ts';
import { confirm, openDialog, showOnce } from '../ui/dialog.ts';
import { button, copyable, el } from '../ui/dom.ts';
import { type Field, form, type Values } from '../ui/form.ts';
import { makeKeyAlerts } from '../ui/key-alerts.ts';
import { makeTable, type Table } from '../ui/table.ts';
import { exactTime, time } from '../ui/time.ts';

type MadeKey = Key & { readonly key: string; readonly overlapUntil?: string };

const ALL = '*';
/** What a restricted key may be given, and what that lets it do. */
const SCOPES = [
  ['read', 'reads everything and changes nothing'],
  ['sessions', 'creates, joins and ends sessions, plays bots'],
  ['matchmaking', 'runs tickets and groups, starts matches'],
  ['players', 'issues lobby tokens, exports and erases players'],
  ['admin', 'changes bots, webhooks and integrity credentials'],
] as const;

const OVERLAPS = [
  ['0', 'at once'],
  ['3600', 'in an hour'],
  ['86400', 'in a day'],
  ['604800', 'in 7 days'],
] as const;

export async function keys(context: Context): Promise<HTMLElement> {
  const { world, api } = context;
  const table: Table<Key> = makeTable<Key>(
    'API keys',
    [
      { title: 'Name', cell: ({ name }) => el('strong', '', name) },
      { title: 'Begins with', cell: ({ hint }) => el('code', '', hint) },
      { title: 'Status', cell: ({ status }) => el('span', `badge ${status}`, status) },
      { title: 'Scopes', cell: scopeWords },
      { title: 'Origins', cell: originWords },
      { title: 'Last used', cell: ({ lastUsedAt }) => time(lastUsedAt) },
      { title: 'Expires', cell: ({ expiresAt }) => time(expiresAt) },
      { title: 'Actions', cell: (key) => actions(context, key, refresh) },
    ],
    ({ id }) => id,
    `No ${world} keys yet.`,
  );
  const alerts = makeKeyAlerts(context);
  async function refresh(): Promise<void> {
    await alerts.refresh();
    table.show((await ask<Page<Key>>(`${api}/keys`)).data);
  }
  await refresh();
  const lead =
    world === 'live'
      ? 'Keys of the live world. Keep them on your servers.'
      : 'Keys of the test world. They see and make test sessions only.';
  return el(
    'div',
    '',
    el('h1', '', 'API keys'),
    el('p', 'lead', lead),
    alerts.element,
    el(
      'div',
      'actions',
      button('primary', `New ${world} key`, () => openMaking(context, refresh)),
    ),
    table.element,
  );
}

function scopeWords({ scopes }: Key): HTMLElement {
  if (scopes.includes(ALL)) return el('span', 'muted', 'all');
  return el('span', '', scopes.join(', '));
}

function originWords({ origins, requireOrigin }: Key): string {
  const list = origins.length === 0 ? 'any' : origins.join(', ');
  return requireOrigin ? `${list} (required)` : list;
}

function actions(context: Context, key: Key, refresh: () => Promise<void>): HTMLElement {
  if (key.status !== 'active') return el('span', 'muted', '—');
  return el(
    'div',
    'row-actions',
    button('small', 'Change', () => openChange(context, key, refresh)),
    button('small', 'Rotate', () => openRotation(context, key, refresh)),
    button('small danger', 'Revoke', async () => {
      const text = `What uses ${key.name} is refused from then on. That cannot be taken back.`;
      if (!(await confirm(`Revoke ${key.name}?`, text, 'Revoke'))) return;
      await ask(`${context.api}/keys/${key.id}/revoke`, undefined, 'POST');
      context.say('The key is revoked.');
      await refresh();
    }),
  );
}

function keyFields(key: Key | null): readonly Field[] {
  return [
    {
      name: 'name',
      label: 'Name',
      value: key?.name ?? '',
      hint: 'Where it is used, e.g. backend.',
    },
    {
      name: 'origins',
      label: 'Origins',
      type: 'textarea',
      required: false,
      value: key?.origins.join('\n') ?? '',
      hint: 'One a line, e.g. https://example.com or https://*.example.com. Empty: any.',
    },
    {
      name: 'requireOrigin',
      label: 'Requests without an origin',
      value: String(key?.requireOrigin ?? false),
      options: [
        ['false', 'are taken: servers send none'],
        ['true', 'are refused'],
      ],
    },
    {
      name: 'expiresAt',
      label: 'Expires',
      type: 'datetime-local',
      required: false,
      hint: 'In your own time. Empty: never.',
      value: key?.expiresAt == null ? '' : toLocal(key.expiresAt),
    },
  ];
}

/** Scopes are fixed when the key is created. */
function scopeFields(): readonly Field[] {
  return [
    {
      name: 'access',
      label: 'Access',
      value: 'all',
      options: [
        ['all', 'Everything'],
        ['scopes', 'Only the scopes ticked below'],
      ],
      hint: 'It cannot be changed later.',
    },
    {
      name: 'scopes',
      label: 'Scopes',
      checks: SCOPES.map(([scope, words]) => [scope, scope, words] as const),
    },
  ];
}

function scopesOf(values: Values): object {
  if (values['access'] !== 'scopes') return {};
  return { scopes: SCOPES.map(([scope]) => scope).filter((scope) => scope in values) };
}

/** As the browser's field wants it: local time, no zone. */
function toLocal(iso: string): string {
  const at = new Date(iso);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

function toBody({ name, origins, requireOrigin, expiresAt }: Values): object {
  return {
    name,
    origins: origins!.split(/\s+/).filter(Boolean),
    requireOrigin: requireOrigin === 'true',
    expiresAt: expiresAt === '' ? null : new Date(expiresAt!).toISOString(),
  };
}

function openMaking({ api, world }: Context, refresh: () => Promise<void>): void {
  const dialog = openDialog(
    `New ${world} key`,
    form(
      [...keyFields(null), ...scopeFields()],
      'Make the key',
      async (values) => {
        const made = await ask<MadeKey>(`${api}/keys`, {
          ...toBody(values),
          ...scopesOf(values),
        });
        dialog.close();
        await showText('Your new key', made);
        await refresh();
      },
      button('', 'Cancel', () => dialog.close()),
    ),
  );
}

function openChange(context: Context, key: Key, refresh: () => Promise<void>): void {
  const dialog = openDialog(
    `Change ${key.name}`,
    form(
      keyFields(key),
      'Save',
      async (values) => {
        await ask(`${context.api}/keys/${key.id}`, toBody(values));
        dialog.close();
        context.say('The key is changed.');
        await refresh();
      },
      button('', 'Cancel', () => dialog.close()),
    ),
  );
}

function openRotation(context: Context, key: Key, refresh: () => Promise<void>): void {
  const field: Field = {
    name: 'overlap',
    label: 'The old text ends',
    value: '86400',
    options: OVERLAPS,
    hint: 'Until then both act, so that you can bring out the new one without a gap.',
  };
  const dialog = openDialog(
    `Rotate ${key.name}`,
    form(
      [field],
      'Rotate',
      async ({ overlap }) => {
        const body = { overlapSeconds: Number(overlap) };
        const made = await ask<MadeKey>(`${context.api}/keys/${key.id}/rotate`, body);
        dialog.close();
        await showText('The new text of your key', made);
        await refresh();
      },
      button('', 'Cancel', () => dialog.close()),
    ),
  );
}

function showText(title: string, { key, overlapUntil }: MadeKey): Promise<void> {
  const until =
    overlapUntil === undefined ? null : `The old one acts until ${exactTime(overlapUntil)}.`;
  return showOnce(
    title,
    el('p', '', 'Keep it now: it is shown this once and kept nowhere.'),
    copyable(key),
    until === null ? null : el('p', 'muted', until),
  );
}
