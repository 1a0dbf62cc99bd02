/** The reader's own passkeys: add, list, remove. */

import { useState } from 'preact/hooks';
import { ask, type Json, Refusal } from '../../api.ts';
import { useHere } from '../../here.ts';
import { Dialog, ShowOnce } from '../../parts/dialog.tsx';
import { type Field, Form, type Values } from '../../parts/form.tsx';
import { Answer } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { createPasskey, hasPasskeys } from '../../passkey.ts';
import { useAnswer, useClient } from '../../query.ts';
import type { Page } from '../../types.ts';

interface Passkey {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
}

/** Which dialog is open. `withPassword`: the sign-in is too old without it. */
type Open =
  | { readonly act: 'add'; readonly name: string; readonly withPassword: boolean }
  | { readonly act: 'remove'; readonly of: Passkey; readonly withPassword: boolean }
  | { readonly act: 'codes'; readonly codes: readonly string[] };

const NAME: Field = {
  name: 'name',
  label: 'Name',
  hint: 'For example the device it is on. All your other browsers are signed out.',
};
const PASSWORD: Field = {
  name: 'password',
  label: 'Your password',
  type: 'password',
  autocomplete: 'current-password',
  hint: 'You signed in more than ten minutes ago. You can also sign in again instead.',
};

export function Passkeys() {
  const keys = useAnswer<Page<Passkey>>('/me/passkeys');
  const [open, setOpen] = useState<Open | null>(null);
  return (
    <>
      <p>
        A passkey signs you in with your fingerprint, face or screen lock. It counts as both
        factors.
      </p>
      <Answer of={keys}>
        {({ data }) => (
          <Table
            label="Passkeys"
            rows={data}
            keyOf={({ id }) => id}
            empty="No passkeys yet. Add one to sign in without a password."
            columns={[
              { title: 'Name', cell: ({ name }) => name, value: ({ name }) => name },
              {
                title: 'Created',
                cell: ({ createdAt }) => <Time at={createdAt} />,
                value: ({ createdAt }) => createdAt,
              },
              {
                title: 'Last used',
                cell: ({ lastUsedAt }) => <Time at={lastUsedAt} />,
                value: ({ lastUsedAt }) => lastUsedAt,
              },
              {
                title: 'Actions',
                cell: (of) => (
                  <button
                    type="button"
                    class="small danger"
                    onClick={() => setOpen({ act: 'remove', of, withPassword: false })}
                  >
                    Remove
                  </button>
                ),
              },
            ]}
          />
        )}
      </Answer>
      <Adder add={() => setOpen({ act: 'add', name: '', withPassword: false })} />
      {open !== null && (
        <Opened open={open} setOpen={setOpen} refresh={() => void keys.refetch()} />
      )}
    </>
  );
}

/** The button, or why there is none. */
function Adder({ add }: { readonly add: () => void }) {
  const status = useAnswer<{ passkeyOrigin: string | null }>('/status');
  if (status.data === undefined) return null;
  const { passkeyOrigin: origin } = status.data;
  if (origin === null) {
    return <p class="hint">Passkeys need the service at an https address with a host name.</p>;
  }
  if (location.origin !== origin) {
    return (
      <p class="hint">
        To add a passkey, open the dashboard at <a href={origin + location.pathname}>{origin}</a>.
      </p>
    );
  }
  if (!hasPasskeys()) return <p class="hint">This browser is too old for passkeys.</p>;
  return (
    <div class="actions">
      <button type="button" class="primary" onClick={add}>
        Add a passkey
      </button>
    </div>
  );
}

function Opened({
  open,
  setOpen,
  refresh,
}: {
  readonly open: Open;
  readonly setOpen: (open: Open | null) => void;
  readonly refresh: () => void;
}) {
  const { say } = useHere();
  const client = useClient();
  const close = (): void => setOpen(null);
  const done = (words: string): void => {
    refresh();
    void client.invalidateQueries({ queryKey: ['/me'] });
    say(words);
  };
  if (open.act === 'codes') {
    return (
      <ShowOnce
        title="Recovery codes"
        text={open.codes.join('\n')}
        close={() => {
          close();
          done('The passkey is added.');
        }}
      >
        <p>Each works once, after your password, if you lose your passkeys.</p>
      </ShowOnce>
    );
  }
  const key = `${open.act} ${open.withPassword}`;
  return open.act === 'add' ? (
    <Add key={key} open={open} setOpen={setOpen} done={() => done('The passkey is added.')} />
  ) : (
    <Remove key={key} open={open} setOpen={setOpen} done={() => done('The passkey is removed.')} />
  );
}

interface StepProps<Act extends Open['act']> {
  readonly open: Extract<Open, { readonly act: Act }>;
  readonly setOpen: (open: Open | null) => void;
  readonly done: () => void;
}

function Add({ open: { name, withPassword }, setOpen, done }: StepProps<'add'>) {
  const close = (): void => setOpen(null);
  return (
    <Dialog title="Add a passkey" close={close}>
      <Form
        fields={[{ ...NAME, value: name }, ...(withPassword ? [PASSWORD] : [])]}
        action="Add"
        cancel={close}
        submit={async (values) => {
          const codes = await orAskPassword(
            values,
            () => add(values),
            () => setOpen({ act: 'add', name: values['name'] ?? '', withPassword: true }),
          );
          if (codes === null) return;
          if (codes.length > 0) return setOpen({ act: 'codes', codes });
          close();
          done();
        }}
      />
    </Dialog>
  );
}

function Remove({ open, setOpen, done }: StepProps<'remove'>) {
  const { id, name } = open.of;
  const close = (): void => setOpen(null);
  return (
    <Dialog title={`Remove ${name}?`} close={close}>
      <p>It no longer signs you in. All your other browsers are signed out.</p>
      <Form
        fields={open.withPassword ? [PASSWORD] : []}
        action="Remove"
        cancel={close}
        submit={async (values) => {
          const removed = await orAskPassword(
            values,
            () => ask(`/me/passkeys/${id}/remove`, proof(values['password'])),
            () => setOpen({ ...open, withPassword: true }),
          );
          if (removed === null) return;
          close();
          done();
        }}
      />
    </Dialog>
  );
}

async function add({ name, password }: Values): Promise<readonly string[]> {
  const { sealed, options } = await ask<{ sealed: string; options: Json }>(
    '/me/passkeys/offer',
    proof(password),
  );
  const passkey = await createPasskey(options);
  const body = { sealed, name, passkey };
  return (await ask<{ recoveryCodes: readonly string[] }>('/me/passkeys', body)).recoveryCodes;
}

const proof = (password: string | undefined): object =>
  password === undefined ? {} : { password };

/** Null if the password is missing and is requested. */
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
