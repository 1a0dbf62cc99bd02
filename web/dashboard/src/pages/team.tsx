/** The tenant's members, the operators, and pending invitations. */

import { useState } from 'preact/hooks';
import { ask } from '../api.ts';
import { useHere } from '../here.ts';
import { Confirm, Dialog, ShowOnce } from '../parts/dialog.tsx';
import { Form } from '../parts/form.tsx';
import { Answer } from '../parts/states.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { exactTime, Time } from '../parts/time.tsx';
import { useAnswer } from '../query.ts';
import type { Role } from '../types.ts';

const REFRESH_MS = 10_000;

interface Member {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  /** Null for an operator, who is not a member. */
  readonly role: Role | null;
  readonly hasSecondFactor: boolean | null;
  readonly since: string | null;
}

interface Invitation {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  readonly expiresAt: string;
}

interface Team {
  readonly members: readonly Member[];
  readonly operators: readonly Pick<Member, 'id' | 'email' | 'name'>[];
  readonly invitations: readonly Invitation[];
}

const ROLES: readonly (readonly [Role, string])[] = [
  ['viewer', 'viewer: reads everything but keys and audit'],
  ['support', 'support: also watches, verifies and ends sessions, exports players'],
  ['developer', 'developer: also keys, bots, webhooks, credentials, audit'],
  ['owner', 'owner: everything, with members and erasing players'],
];

export function TeamPage() {
  const { place } = useHere();
  const path = `/t/${place.slug}`;
  const team = useAnswer<Team>(`${path}/team`, REFRESH_MS);
  const [isInviting, setInviting] = useState(false);
  const [made, setMade] = useState<{ readonly url: string; readonly email: string } | null>(null);
  const refresh = (): void => void team.refetch();
  return (
    <div>
      <h1>Team</h1>
      <p class="lead">
        Members of {place.name} and their roles. A changed role signs the member out.
      </p>
      <div class="actions">
        <button type="button" class="primary" onClick={() => setInviting(true)}>
          Invite
        </button>
      </div>
      <Answer of={team}>
        {({ members, operators, invitations }) => (
          <>
            <section class="card">
              <h2>Members</h2>
              <Table
                label="Members"
                rows={[...operators.map(asMember), ...members.filter(isNoOperator(operators))]}
                keyOf={({ id }) => id}
                empty="No members yet. Invite one."
                csv={`members-of-${place.slug}`}
                columns={memberColumns(path, refresh)}
              />
            </section>
            <section class="card">
              <h2>Invitations</h2>
              <Table
                label="Invitations"
                rows={invitations}
                keyOf={({ id }) => id}
                empty="No pending invitations."
                columns={invitationColumns(path, refresh)}
              />
            </section>
          </>
        )}
      </Answer>
      {isInviting && (
        <Invite
          path={path}
          close={() => setInviting(false)}
          invited={(url, email) => {
            setInviting(false);
            setMade({ url, email });
            refresh();
          }}
        />
      )}
      {made !== null && (
        <ShowOnce title="The invitation" text={made.url} close={() => setMade(null)}>
          <p class="hint">Send it to {made.email}. It works once, within 7 days.</p>
        </ShowOnce>
      )}
    </div>
  );
}

const asMember = (each: Team['operators'][number]): Member => ({
  ...each,
  role: null,
  hasSecondFactor: null,
  since: null,
});

const isNoOperator =
  (operators: Team['operators']) =>
  ({ id }: Member): boolean =>
    !operators.some((each) => each.id === id);

function memberColumns(path: string, refresh: () => void): readonly Column<Member>[] {
  return [
    { title: 'Name', cell: ({ name }) => <strong>{name}</strong>, value: ({ name }) => name },
    { title: 'E-mail', cell: ({ email }) => email, value: ({ email }) => email },
    {
      title: 'Role',
      cell: (member) =>
        member.role === null ? (
          'owner of the installation'
        ) : (
          <RoleChoice path={path} of={member} refresh={refresh} />
        ),
      value: ({ role }) => role ?? 'owner of the installation',
    },
    {
      title: 'Second factor',
      cell: ({ hasSecondFactor }) =>
        hasSecondFactor === null ? '—' : hasSecondFactor ? 'yes' : 'no',
      value: ({ hasSecondFactor }) => (hasSecondFactor === null ? null : String(hasSecondFactor)),
    },
    {
      title: 'Since',
      cell: ({ since }) => <Time at={since} never="—" />,
      value: ({ since }) => since,
    },
    {
      title: 'Actions',
      cell: (member) =>
        member.role === null ? '—' : <Remove path={path} of={member} refresh={refresh} />,
    },
  ];
}

interface MemberProps {
  readonly path: string;
  readonly of: Member;
  readonly refresh: () => void;
}

function RoleChoice({ path, of: { id, name, role }, refresh }: MemberProps) {
  const { say } = useHere();
  return (
    <select
      aria-label={`Role of ${name}`}
      value={role!}
      onChange={async ({ currentTarget: choice }) => {
        try {
          await ask(`${path}/members/${id}/role`, { role: choice.value });
          say(`${name} has the role ${choice.value}.`);
        } finally {
          // A refused choice is reverted; an accepted one comes with the list.
          choice.value = role!;
          refresh();
        }
      }}
    >
      {ROLES.map(([value]) => (
        <option key={value} value={value}>
          {value}
        </option>
      ))}
    </select>
  );
}

function Remove({ path, of: { id, name }, refresh }: MemberProps) {
  const { say } = useHere();
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <button type="button" class="small danger" onClick={() => setAsking(true)}>
        Remove
      </button>
      {isAsking && (
        <Confirm
          title={`Remove ${name}?`}
          act="Remove"
          close={() => setAsking(false)}
          perform={async () => {
            await ask(`${path}/members/${id}/remove`, undefined, 'POST');
            say(`${name} is removed.`);
            refresh();
          }}
        >
          {name} is signed out everywhere at once and loses access to this tenant.
        </Confirm>
      )}
    </>
  );
}

function invitationColumns(path: string, refresh: () => void): readonly Column<Invitation>[] {
  return [
    { title: 'E-mail', cell: ({ email }) => email, value: ({ email }) => email },
    { title: 'Role', cell: ({ role }) => role, value: ({ role }) => role },
    {
      title: 'Expires',
      cell: ({ expiresAt }) => exactTime(expiresAt),
      value: ({ expiresAt }) => expiresAt,
    },
    {
      title: 'Actions',
      cell: ({ id }) => (
        <button
          type="button"
          class="small danger"
          onClick={async () => {
            try {
              await ask(`${path}/invitations/${id}/withdraw`, undefined, 'POST');
            } finally {
              refresh();
            }
          }}
        >
          Withdraw
        </button>
      ),
    },
  ];
}

function Invite({
  path,
  close,
  invited,
}: {
  readonly path: string;
  readonly close: () => void;
  readonly invited: (url: string, email: string) => void;
}) {
  return (
    <Dialog title="Invite a member" close={close}>
      <p class="hint">The service sends no mail: you get a link to send.</p>
      <Form
        fields={[
          { name: 'email', label: 'E-mail address', type: 'email' },
          { name: 'role', label: 'Role', options: ROLES },
        ]}
        action="Create link"
        cancel={close}
        submit={async (values) => {
          const { url } = await ask<{ url: string }>(`${path}/invitations`, values);
          invited(url, values['email']!);
        }}
      />
    </Dialog>
  );
}
