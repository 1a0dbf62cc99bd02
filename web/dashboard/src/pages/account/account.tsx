/** The reader's own account: passkeys, second factor, password, signed-in browsers. */

import { useState } from 'preact/hooks';
import { ask } from '../../api.ts';
import { useHere } from '../../here.ts';
import { type Field, Form } from '../../parts/form.tsx';
import { Answer } from '../../parts/states.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { useAnswer } from '../../query.ts';
import type { Page } from '../../types.ts';
import { Passkeys } from './passkeys.tsx';
import { SecondFactor } from './second-factor.tsx';

const REFRESH_MS = 10_000;

interface LoginRow {
  readonly id: string;
  readonly current: boolean;
  readonly address: string;
  readonly agent: string;
  /** The name of the passkey it started with; null without one. */
  readonly passkey: string | null;
  readonly seenAt: string;
  readonly createdAt: string;
}

const PASSWORD_FIELDS: readonly Field[] = [
  {
    name: 'current',
    label: 'Current password',
    type: 'password',
    autocomplete: 'current-password',
  },
  {
    name: 'next',
    label: 'New password',
    type: 'password',
    autocomplete: 'new-password',
    hint: 'At least 12 characters. All your other browsers are signed out.',
  },
];

export function Account() {
  const { me } = useHere();
  return (
    <div>
      <h1>Your account</h1>
      <p class="lead">
        {me.name}, {me.email}
      </p>
      <section class="card">
        <h2>Passkeys</h2>
        <Passkeys />
      </section>
      <section class="card">
        <h2>Second factor</h2>
        <SecondFactor />
      </section>
      <section class="card">
        <h2>Password</h2>
        <PasswordForm />
      </section>
      <section class="card">
        <h2>Signed in</h2>
        <Logins />
      </section>
    </div>
  );
}

function PasswordForm() {
  const { me, say } = useHere();
  /** A new, empty form after each change. */
  const [turn, setTurn] = useState(0);
  return (
    <Form
      key={turn}
      fields={PASSWORD_FIELDS}
      action="Change password"
      username={me.email}
      submit={async ({ current, next }) => {
        await ask('/me/password', { current, next });
        setTurn(turn + 1);
        say('The password is changed.');
      }}
    />
  );
}

function Logins() {
  const { say } = useHere();
  const logins = useAnswer<Page<LoginRow>>('/me/logins', REFRESH_MS);
  const end = async (path: string, words: string): Promise<void> => {
    try {
      await ask(path, undefined, 'POST');
      say(words);
    } finally {
      void logins.refetch();
    }
  };
  return (
    <>
      <Answer of={logins}>
        {({ data }) => (
          <Table
            label="Signed in"
            rows={data}
            keyOf={({ id }) => id}
            empty="No browsers are signed in."
            columns={loginColumns((id) =>
              end(`/me/logins/${id}/end`, 'The browser is signed out.'),
            )}
          />
        )}
      </Answer>
      <div class="actions">
        <button
          type="button"
          onClick={() => end('/me/logins/end-others', 'All others are signed out.')}
        >
          Sign out everywhere else
        </button>
      </div>
    </>
  );
}

function loginColumns(end: (id: string) => Promise<void>): readonly Column<LoginRow>[] {
  return [
    {
      title: 'Browser',
      cell: ({ agent }) => browserName(agent),
      value: ({ agent }) => browserName(agent),
    },
    {
      title: 'Passkey',
      cell: ({ passkey }) => passkey ?? '—',
      value: ({ passkey }) => passkey,
    },
    {
      title: 'Address',
      cell: ({ address }) => <code>{address}</code>,
      value: ({ address }) => address,
    },
    {
      title: 'Last seen',
      cell: ({ seenAt }) => <Time at={seenAt} />,
      value: ({ seenAt }) => seenAt,
    },
    {
      title: 'Actions',
      cell: ({ id, current }) =>
        current ? (
          <strong>this browser</strong>
        ) : (
          <button type="button" class="small danger" onClick={() => end(id)}>
            Sign out
          </button>
        ),
    },
  ];
}

function browserName(agent: string): string {
  const found = /(Firefox|Edg|Chrome|Safari)\/[\d.]+/.exec(agent)?.[1];
  const system = /\(([^;)]+)/.exec(agent)?.[1];
  return found === undefined
    ? agent.slice(0, 40)
    : `${found === 'Edg' ? 'Edge' : found}, ${system}`;
}
