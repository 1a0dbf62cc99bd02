/** The page behind a link: the first account, an invitation, a new password. */

import { useEffect, useState } from 'preact/hooks';
import { ask, type Json } from '../../api.ts';
import { type Field, Form } from '../../parts/form.tsx';
import { Loading } from '../../parts/states.tsx';
import { ownUrl } from '../../place.ts';
import { SignedOutPage } from './signed-out-page.tsx';

const PASSWORD: Field = {
  name: 'password',
  label: 'Password',
  type: 'password',
  autocomplete: 'new-password',
  hint: 'At least 12 characters. A few words together are easy to remember and hard to guess.',
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

export function LinkPage({ page }: { readonly page: string }) {
  const [token] = useState(() => location.hash.slice(1));
  const [found, setFound] = useState<Found | null>(null);
  const [problem, setProblem] = useState('');
  useEffect(() => {
    ask<Found>('/links/look', { token }).then(
      (link) => {
        if (link.kind === page) setFound(link);
        else setProblem('The link belongs to another page');
      },
      (error: unknown) => setProblem((error as Error).message),
    );
  }, []);
  if (problem !== '') return <Gone page={page} problem={problem} />;
  if (found === null) return <Loading />;
  if (found.kind === 'setup') return <Setup token={token} />;
  return found.kind === 'reset' ? (
    <Reset token={token} found={found} />
  ) : (
    <Invitation token={token} found={found} />
  );
}

function Gone({ page, problem }: { readonly page: string; readonly problem: string }) {
  return (
    <SignedOutPage title="This link no longer works">
      <p class="problem">{problem}</p>
      <p class="hint">
        {page === 'setup'
          ? 'Start the service again: it prints a new link as long as there is no account.'
          : 'Ask for a new one.'}
      </p>
      <p>
        <a href={ownUrl('login')}>Sign in</a>
      </p>
    </SignedOutPage>
  );
}

/** The token is removed from the address once it has been used. */
function enter(): void {
  location.replace(ownUrl(''));
}

function Setup({ token }: { readonly token: string }) {
  return (
    <SignedOutPage title="Welcome">
      <p class="lead">
        Create the first account of this installation. It becomes the owner of everything.
      </p>
      <Form
        fields={[EMAIL, NAME, PASSWORD]}
        action="Create account"
        submit={async (values) => {
          await ask('/setup', { token, ...values });
          enter();
        }}
      />
    </SignedOutPage>
  );
}

interface LinkProps {
  readonly token: string;
  readonly found: Found;
}

function Invitation({ token, found: { email, tenant, role, hasAccount } }: LinkProps) {
  return (
    <SignedOutPage title="You are invited">
      <p class="lead">
        {email} is invited to {tenant} as {role}.
      </p>
      {hasAccount ? (
        <>
          <Form fields={[]} action="Join" submit={() => join(token)} />
          <p>
            <a href={ownUrl('login')}>Sign in</a>
          </p>
        </>
      ) : (
        <Form
          fields={[NAME, PASSWORD]}
          action="Create my account"
          submit={async (values) => {
            await ask('/invitations/accept', { token, ...values });
            enter();
          }}
        />
      )}
    </SignedOutPage>
  );
}

async function join(token: string): Promise<void> {
  const { signedIn } = await ask<Json>('/status');
  if (signedIn !== true) throw new Error('Sign in first, then open the link again');
  await ask('/me/join', { token });
  enter();
}

function Reset({ token, found }: LinkProps) {
  return (
    <SignedOutPage title="New password">
      <p class="lead">
        For {found.email}. Second factor and passkeys are removed, and you are signed out
        everywhere.
      </p>
      <Form
        fields={[PASSWORD]}
        action="Set password"
        submit={async (values) => {
          await ask('/reset', { token, ...values });
          enter();
        }}
      />
    </SignedOutPage>
  );
}
