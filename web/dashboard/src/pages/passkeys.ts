/** One's own passkeys: add, list, remove. */

import { ask, type Json, Refusal } from '../api.ts';
import type { Context } from '../page.ts';
import { createPasskey, hasPasskeys } from '../passkey.ts';
import type { Page } from '../types.ts';
import { openDialog, showOnce } from '../ui/dialog.ts';
import { button, copyable, el, link } from '../ui/dom.ts';
import { type Field, form, type Values } from '../ui/form.ts';
import { makeTable } from '../ui/table.ts';
import { time } from '../ui/time.ts';

interface Passkey {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
}

interface Offer {
  readonly sealed: string;
  readonly options: Json;
}

const NAME: Field = {
  name: 'name',
  label: 'Name',
  hint: 'For example the device it is on. Everyone else signed in as you is signed out.',
};
const PASSWORD: Field = {
  name: 'password',
  label: 'Your password',
  type: 'password',
  autocomplete: 'current-password',
  hint: 'You signed in more than ten minutes ago. You can also sign in again instead.',
};

export async function passkeys(context: Context): Promise<HTMLElement> {
  const { passkeyOrigin } = await ask<{ passkeyOrigin: string | null }>('/status');
  const table = makeTable<Passkey>(
    'Passkeys',
    [
      { title: 'Name', cell: ({ name }) => name },
      { title: 'Created', cell: ({ createdAt }) => time(createdAt) },
      {
        title: 'Last used',
        cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'Never' : time(lastUsedAt)),
      },
      {
        title: 'Actions',
        cell: (key) => button('small danger', 'Remove', () => openRemove(key, context)),
      },
    ],
    ({ id }) => id,
    'No passkeys yet. Add one to sign in without a password.',
  );
  table.show((await ask<Page<Passkey>>('/me/passkeys')).data);
  const lead =
    'A passkey signs you in with your fingerprint, face or screen lock. It counts as both factors.';
  return el('div', '', el('p', '', lead), table.element, adder(passkeyOrigin, context));
}

/** The button, or why there is none. */
function adder(origin: string | null, context: Context): HTMLElement {
  if (origin === null)
    return el('p', 'hint', 'Passkeys need the service at an https address with a host name.');
  if (location.origin !== origin) {
    const there = link(origin + location.pathname, '', origin);
    return el('p', 'hint', 'To add a passkey, open the dashboard at ', there, '.');
  }
  if (!hasPasskeys()) return el('p', 'hint', 'This browser is too old for passkeys.');
  return el(
    'div',
    'actions',
    button('primary', 'Add a passkey', () => openAdd([NAME], context)),
  );
}

function openAdd(fields: readonly Field[], context: Context): void {
  const dialog = openDialog(
    'Add a passkey',
    form(
      fields,
      'Add',
      async (values) => {
        const codes = await orAskPassword(
          values,
          () => add(values),
          () => {
            dialog.close();
            openAdd([{ ...NAME, value: values['name'] ?? '' }, PASSWORD], context);
          },
        );
        if (codes === null) return;
        dialog.close();
        if (codes.length > 0) await showCodes(codes);
        context.reload('The passkey is added.');
      },
      button('', 'Cancel', () => dialog.close()),
    ),
  );
}

async function add({ name, password }: Values): Promise<readonly string[]> {
  const { sealed, options } = await ask<Offer>('/me/passkeys/offer', proof(password));
  const passkey = await createPasskey(options);
  const body = { sealed, name, passkey };
  return (await ask<{ recoveryCodes: readonly string[] }>('/me/passkeys', body)).recoveryCodes;
}

function openRemove(key: Passkey, context: Context, fields: readonly Field[] = []): void {
  const dialog = openDialog(
    `Remove ${key.name}?`,
    el('p', '', 'It no longer signs in. Everyone else signed in as you is signed out.'),
    form(
      fields,
      'Remove',
      async (values) => {
        const path = `/me/passkeys/${key.id}/remove`;
        const done = await orAskPassword(
          values,
          () => ask(path, proof(values['password'])),
          () => {
            dialog.close();
            openRemove(key, context, [PASSWORD]);
          },
        );
        if (done === null) return;
        dialog.close();
        context.reload('The passkey is removed.');
      },
      button('', 'Cancel', () => dialog.close()),
    ),
  );
}

const proof = (password: string | undefined): object =>
  password === undefined ? {} : { password };

/** Null when the password was missing and is asked for. */
async function orAskPassword<T>(
  { password }: Values,
  act: () => Promise<T>,
  askFor: () => void,
): Promise<T | null> {
  try {
    return await act();
  } catch (error) {
    const isMissing = error instanceof Refusal && error.code === 'password_required';
    if (!isMissing || password !== undefined) throw error;
    askFor();
    return null;
  }
}

function showCodes(codes: readonly string[]): Promise<void> {
  return showOnce(
    'Recovery codes',
    el(
      'p',
      '',
      'Each works once, after your password, if you lose your passkeys. They are not shown again.',
    ),
    copyable(codes.join('\n'), 'Copy all'),
  );
}
