/** What a link opens: the first account, an invitation, a new password. */

import { ask, type Json } from '../api.ts';
import { ownUrl } from '../place.ts';
import { el, link } from '../ui/dom.ts';
import { type Field, form } from '../ui/form.ts';
import { showAlone } from './login.ts';

const PASSWORD: Field = {
  name: 'password',
  label: 'Password',
  type: 'password',
  autocomplete: 'new-password',
  hint: 'At least 12 characters. A few words together are easy to keep and hard to guess.',
};
const NAME: Field = { name: 'name', label: 'Your name', autocomplete: 'name' };
const EMAIL: Field = {
  name: 'email',
  label: 'E-mail address',
  type: 'email',
  autocomplete: 'username',
};

interface Found {
  readonly kind: 'setup' | 'invitation' | 'reset';
  readonly role: string | null;
  readonly email: string | null;
  readonly tenant: string | null;
  readonly hasAccount: boolean;
}

export async function showLink(root: HTMLElement, page: string): Promise<void> {
  const token = location.hash.slice(1);
  let found: Found;
  try {
    found = await ask<Found>('/links/look', { token });
    if (found.kind !== page) throw new Error('The link belongs to another page');
  } catch (error) {
    const words = el('p', 'problem', String((error as Error).message));
    const next =
      page === 'setup'
        ? 'Start the service again: it prints a new link as long as there is no account.'
        : 'Ask for a new one.';
    showAlone(root, 'This link no longer works', words, el('p', 'hint', next), toLogin());
    return;
  }
  if (found.kind === 'setup') showSetup(root, token);
  else if (found.kind === 'reset') showReset(root, token, found);
  else showInvitation(root, token, found);
}

/** The token leaves the address as soon as it was used. */
function enter(): void {
  location.replace(ownUrl(''));
}

function toLogin(): HTMLElement {
  return el('p', '', link(ownUrl('login'), '', 'Sign in'));
}

function showSetup(root: HTMLElement, token: string): void {
  const fields = form([EMAIL, NAME, PASSWORD], 'Make the account', async (values) => {
    await ask('/setup', { token, ...values });
    enter();
  });
  const lead = "You make the installation's first account. It is the owner of everything.";
  showAlone(root, 'Welcome', el('p', 'lead', lead), fields);
}

function showInvitation(root: HTMLElement, token: string, found: Found): void {
  const lead = `${found.email} is invited to ${found.tenant} as ${found.role}.`;
  const fields = found.hasAccount
    ? form([], 'Join', () => join(token))
    : form([NAME, PASSWORD], 'Make my account', async (values) => {
        await ask('/invitations/accept', { token, ...values });
        enter();
      });
  showAlone(
    root,
    'You are invited',
    el('p', 'lead', lead),
    fields,
    ...(found.hasAccount ? [toLogin()] : []),
  );
}

async function join(token: string): Promise<void> {
  const { signedIn } = await ask<Json>('/status');
  if (signedIn !== true) throw new Error('Sign in first, then open the link again');
  await ask('/me/join', { token });
  enter();
}

function showReset(root: HTMLElement, token: string, found: Found): void {
  const fields = form([PASSWORD], 'Set the password', async (values) => {
    await ask('/reset', { token, ...values });
    enter();
  });
  const lead = `For ${found.email}. A second factor is taken away, and all sessions end.`;
  showAlone(root, 'New password', el('p', 'lead', lead), fields);
}
