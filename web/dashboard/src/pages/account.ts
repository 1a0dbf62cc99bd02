/** One's own account: password, second factor, the browsers that are signed in. */

import { ask } from '../api.ts';
import type { Context } from '../page.ts';
import type { Me, Page } from '../types.ts';
import { openDialog, showOnce } from '../ui/dialog.ts';
import { button, copyable, el, link } from '../ui/dom.ts';
import { type Field, form, username } from '../ui/form.ts';
import { qrPicture } from '../ui/qr-picture.ts';
import { makeTable } from '../ui/table.ts';
import { time } from '../ui/time.ts';
import { passkeys } from './passkeys.ts';

interface Login {
  readonly id: string;
  readonly current: boolean;
  readonly address: string;
  readonly agent: string;
  /** The name of the passkey it began with; null without one. */
  readonly passkey: string | null;
  readonly seenAt: string;
  readonly createdAt: string;
}

interface Offer {
  readonly sealed: string;
  readonly secret: string;
  readonly uri: string;
}

const CURRENT: Field = {
  name: 'password',
  label: 'Your password',
  type: 'password',
  autocomplete: 'current-password',
};
const CODE: Field = { name: 'code', label: 'Code', autocomplete: 'one-time-code' };

export async function account(context: Context): Promise<HTMLElement> {
  const { me } = context;
  return el(
    'div',
    '',
    el('h1', '', 'Your account'),
    el('p', 'lead', `${me.name}, ${me.email}`),
    el('section', 'card', el('h2', '', 'Passkeys'), await passkeys(context)),
    el('section', 'card', el('h2', '', 'Second factor'), secondFactor(context)),
    el('section', 'card', el('h2', '', 'Password'), passwordForm(context)),
    el('section', 'card', el('h2', '', 'Signed in'), await logins(context)),
  );
}

function passwordForm({ say, me }: Context): HTMLElement {
  const fields: readonly Field[] = [
    { ...CURRENT, name: 'current', label: 'Current password' },
    {
      name: 'next',
      label: 'New password',
      type: 'password',
      autocomplete: 'new-password',
      hint: 'At least 12 characters. Everybody else who is signed in as you is signed out.',
    },
  ];
  const change = form(fields, 'Change the password', async ({ current, next }, element) => {
    await ask('/me/password', { current, next });
    element.reset();
    say('The password is changed.');
  });
  change.prepend(username(me.email));
  return change;
}

function secondFactor(context: Context): HTMLElement {
  const { me, reload } = context;
  if (!me.hasTotp) {
    return el(
      'div',
      '',
      el(
        'p',
        '',
        me.hasSecondFactor
          ? 'A code of an app, as another way to sign in after the password.'
          : 'A code of an app, asked for besides the password. Without it a password that is found is enough.',
      ),
      me.hasSecondFactor && el('p', '', codesLeft(me)),
      button('primary', 'Set up a second factor', () => openOffer(reload)),
    );
  }
  return el(
    'div',
    '',
    el('p', '', `On. ${codesLeft(me)}`),
    button('danger', 'Take it away', () => openDrop(reload)),
  );
}

/** Codes that an account with any second factor has. */
const codesLeft = ({ recoveryCodes }: Me): string => `${recoveryCodes} recovery codes are left.`;

function openOffer(reload: (words?: string) => void): void {
  const dialog = openDialog(
    'Second factor',
    form(
      [CURRENT],
      'Go on',
      async (values) => {
        const offer = await ask<Offer>('/me/totp/offer', values);
        dialog.close();
        openConfirm(offer, reload);
      },
      button('', 'Cancel', () => dialog.close()),
    ),
  );
}

function openConfirm({ sealed, secret, uri }: Offer, reload: (words?: string) => void): void {
  const dialog = openDialog(
    'Tell your app',
    el('p', '', 'Let your app read this picture, or type the secret into it.'),
    qrPicture(uri),
    copyable(secret.replace(/(.{4})/g, '$1 ').trim()),
    el('p', '', link(uri, '', 'Open in the app')),
    form(
      [{ ...CODE, hint: 'The six digits that the app then shows.' }],
      'Switch it on',
      async (values) => {
        const { recoveryCodes } = await ask<{ recoveryCodes: readonly string[] }>(
          '/me/totp/confirm',
          { sealed, ...values },
        );
        dialog.close();
        await showOnce(
          'Recovery codes',
          el('p', '', 'Each works once, should the phone be lost. They are not shown again.'),
          copyable(recoveryCodes.join('\n'), 'Copy all'),
        );
        reload();
      },
      button('', 'Cancel', () => dialog.close()),
    ),
  );
}

function openDrop(reload: (words?: string) => void): void {
  const dialog = openDialog(
    'Take the second factor away?',
    form(
      [CURRENT, { ...CODE, hint: 'Of the app, or a recovery code.' }],
      'Take it away',
      async (values) => {
        await ask('/me/totp/drop', values);
        dialog.close();
        reload('The second factor is taken away.');
      },
      button('', 'Cancel', () => dialog.close()),
    ),
  );
}

async function logins({ say }: Context): Promise<HTMLElement> {
  const table = makeTable<Login>(
    'Signed in',
    [
      { title: 'Browser', cell: ({ agent }) => browserName(agent) },
      { title: 'Passkey', cell: ({ passkey }) => passkey ?? '–' },
      { title: 'Address', cell: ({ address }) => el('code', '', address) },
      { title: 'Last seen', cell: ({ seenAt }) => time(seenAt) },
      {
        title: 'Actions',
        cell: ({ id, current }) =>
          current
            ? el('strong', '', 'this one')
            : button('small danger', 'Sign out', async () => {
                await ask(`/me/logins/${id}/end`, undefined, 'POST');
                await refresh();
              }),
      },
    ],
    ({ id }) => id,
    'Nobody.',
  );
  async function refresh(): Promise<void> {
    table.show((await ask<Page<Login>>('/me/logins')).data);
  }
  await refresh();
  const others = button('', 'Sign out everywhere else', async () => {
    await ask('/me/logins/end-others', undefined, 'POST');
    say('All others are signed out.');
    await refresh();
  });
  return el('div', '', table.element, el('div', 'actions', others));
}

function browserName(agent: string): string {
  const found = /(Firefox|Edg|Chrome|Safari)\/[\d.]+/.exec(agent)?.[1];
  const system = /\(([^;)]+)/.exec(agent)?.[1];
  return found === undefined
    ? agent.slice(0, 40)
    : `${found === 'Edg' ? 'Edge' : found}, ${system}`;
}
