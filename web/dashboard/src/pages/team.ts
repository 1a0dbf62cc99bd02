/** The tenant's members and who is invited. */

import { ask } from '../api.ts';
import type { Context } from '../page.ts';
import { confirm, openDialog, showOnce } from '../ui/dialog.ts';
import { button, copyable, el, withAttributes } from '../ui/dom.ts';
import { form } from '../ui/form.ts';
import { makeTable } from '../ui/table.ts';
import { exactTime, time } from '../ui/time.ts';

interface Member {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: string;
  readonly hasSecondFactor: boolean;
  readonly since: string;
}

interface Invitation {
  readonly id: string;
  readonly email: string;
  readonly role: string;
  readonly expiresAt: string;
}

interface Team {
  readonly members: readonly Member[];
  readonly invitations: readonly Invitation[];
}

const ROLES = [
  ['developer', 'developer: keys, bots, webhooks, sessions'],
  ['support', 'support: looks, watches, verifies, ends sessions'],
  ['owner', 'owner: everything, members and erasing too'],
] as const;

export async function team(context: Context): Promise<HTMLElement> {
  const { place, say } = context;
  const path = `/t/${place.slug}`;
  const members = makeMembers(path, attempt);
  const invitations = makeInvitations(path, attempt);
  async function refresh(): Promise<void> {
    const found = await ask<Team>(`${path}/team`);
    members.show(found.members);
    invitations.show(found.invitations);
  }
  async function attempt(act: () => Promise<unknown>): Promise<void> {
    try {
      await act();
      say('Done.');
    } finally {
      await refresh();
    }
  }
  await refresh();
  return el(
    'div',
    '',
    el('h1', '', 'Team'),
    el('p', 'lead', 'A change of a role ends the sessions of whom it is about.'),
    el(
      'div',
      'actions',
      button('primary', 'Invite', () => openInvitation(path, refresh)),
    ),
    el('section', 'card', el('h2', '', 'Members'), members.element),
    el('section', 'card', el('h2', '', 'Invitations'), invitations.element),
  );
}

/** Does something, says how it went, and shows the team anew. */
type Attempt = (act: () => Promise<unknown>) => Promise<void>;

function makeMembers(path: string, attempt: Attempt) {
  return makeTable<Member>(
    'Members',
    [
      { title: 'Name', cell: ({ name }) => el('strong', '', name) },
      { title: 'E-mail', cell: ({ email }) => email },
      { title: 'Role', cell: (member) => roleChoice(path, member, attempt) },
      {
        title: 'Second factor',
        cell: ({ hasSecondFactor }) => (hasSecondFactor ? 'yes' : 'no'),
      },
      { title: 'Since', cell: ({ since }) => time(since) },
      {
        title: 'Actions',
        cell: (member) =>
          button('small danger', `Remove`, async () => {
            const text = 'All sessions of this member end at once.';
            if (!(await confirm(`Remove ${member.name}?`, text, 'Remove'))) return;
            await attempt(() => ask(`${path}/members/${member.id}/remove`, undefined, 'POST'));
          }),
      },
    ],
    ({ id }) => id,
    'Nobody but the installation’s owner yet.',
  );
}

function makeInvitations(path: string, attempt: Attempt) {
  return makeTable<Invitation>(
    'Invitations',
    [
      { title: 'E-mail', cell: ({ email }) => email },
      { title: 'Role', cell: ({ role }) => role },
      { title: 'Works until', cell: ({ expiresAt }) => exactTime(expiresAt) },
      {
        title: 'Actions',
        cell: ({ id }) =>
          button('small danger', 'Withdraw', () =>
            attempt(() => ask(`${path}/invitations/${id}/withdraw`, undefined, 'POST')),
          ),
      },
    ],
    ({ id }) => id,
    'Nobody is invited.',
  );
}

function roleChoice(path: string, { id, role, name }: Member, attempt: Attempt): HTMLElement {
  const choice = withAttributes(el('select', ''), { 'aria-label': `Role of ${name}` });
  for (const [value] of ROLES) {
    const option = withAttributes(el('option', '', value), { value });
    option.selected = value === role;
    choice.append(option);
  }
  choice.addEventListener('change', async () => {
    try {
      await attempt(() => ask(`${path}/members/${id}/role`, { role: choice.value }));
    } finally {
      choice.value = role; // Another stands in a row of its own by now; this one was refused.
    }
  });
  return choice;
}

function openInvitation(path: string, refresh: () => Promise<void>): void {
  const dialog = openDialog(
    'Invite somebody',
    form(
      [
        { name: 'email', label: 'E-mail address', type: 'email' },
        { name: 'role', label: 'Role', options: ROLES },
      ],
      'Make the link',
      async (values) => {
        const { url } = await ask<{ url: string }>(`${path}/invitations`, values);
        dialog.close();
        await showOnce(
          'The invitation',
          el('p', '', `Send it to ${values['email']}. It works once, for 7 days.`),
          copyable(url),
        );
        await refresh();
      },
      button('', 'Cancel', () => dialog.close()),
    ),
  );
}
