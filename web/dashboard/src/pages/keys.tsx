/** API keys: created and shown once, restricted to origins, rotated with overlap, revoked. */

import { useState } from 'preact/hooks';
import { ask } from '../api.ts';
import { type Here, useHere } from '../here.ts';
import { Confirm, ShowOnce } from '../parts/dialog.tsx';
import { KeyAlerts } from '../parts/key-alerts.tsx';
import { Answer } from '../parts/states.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { exactTime, Time } from '../parts/time.tsx';
import { useAnswer } from '../query.ts';
import type { Key, Page } from '../types.ts';
import { ChangeKey, CreateKey, type MadeKey, RotateKey } from './key-forms.tsx';
import { KeyUses } from './key-uses.tsx';

const ALL = '*';

type Act = 'uses' | 'change' | 'rotate' | 'revoke' | 'end-overlap';

/** Which dialog is open. */
type Open =
  | { readonly act: 'create' }
  | { readonly act: Act; readonly key: Key }
  | { readonly act: 'shown'; readonly title: string; readonly made: MadeKey };

export function Keys() {
  const { api, world } = useHere();
  const keys = useAnswer<Page<Key>>(`${api}/keys`, ['keys']);
  const [open, setOpen] = useState<Open | null>(null);
  const refresh = (): void => void keys.refetch();
  return (
    <div>
      <h1>API keys</h1>
      <p class="lead">
        {world === 'live'
          ? 'Keys of live mode. Keep them on your servers.'
          : 'Keys of test mode. They see and create test sessions only.'}
      </p>
      <KeyAlerts />
      <div class="actions">
        <button type="button" class="primary" onClick={() => setOpen({ act: 'create' })}>
          Create {world} key
        </button>
      </div>
      <Answer of={keys}>
        {({ data }) => (
          <Table
            label="API keys"
            columns={columns((act, key) => setOpen({ act, key }))}
            rows={data}
            keyOf={({ id }) => id}
            empty={`No ${world} keys yet. Create one to call the API.`}
            csv={`keys-${world}`}
          />
        )}
      </Answer>
      {open !== null && <Opened open={open} setOpen={setOpen} refresh={refresh} />}
    </div>
  );
}

function columns(start: (act: Act, key: Key) => void): readonly Column<Key>[] {
  return [
    { title: 'Name', cell: ({ name }) => <strong>{name}</strong>, value: ({ name }) => name },
    {
      title: 'Begins with',
      cell: (key) => (
        <>
          <code>{key.hint}</code>
          <OldSecrets of={key} end={() => start('end-overlap', key)} />
        </>
      ),
      value: ({ hint }) => hint,
    },
    {
      title: 'Status',
      cell: ({ status }) => <span class={`badge ${status}`}>{status}</span>,
      value: ({ status }) => status,
    },
    { title: 'Scopes', cell: scopeWords, value: scopeWords },
    { title: 'Origins', cell: originWords, value: originWords },
    {
      title: 'Last used',
      cell: ({ lastUsedAt }) => <Time at={lastUsedAt} />,
      value: ({ lastUsedAt }) => lastUsedAt,
    },
    {
      title: 'Expires',
      cell: ({ expiresAt }) => <Time at={expiresAt} />,
      value: ({ expiresAt }) => expiresAt,
    },
    { title: 'Actions', cell: (key) => <Acts of={key} start={(act) => start(act, key)} /> },
  ];
}

/** Secrets that a rotation replaced and that are still valid. */
function OldSecrets({ of: { oldTexts }, end }: { readonly of: Key; readonly end: () => void }) {
  if (oldTexts.length === 0) return null;
  return (
    <div class="old-secrets">
      {oldTexts.map(({ hint, expiresAt, lastUsedAt }) => (
        <p class="hint" key={hint}>
          Old secret <code>{hint}</code> ends <Time at={expiresAt} />, last used{' '}
          <Time at={lastUsedAt} never="never since the rotation" />.
        </p>
      ))}
      <button type="button" class="small" onClick={end}>
        End overlap now
      </button>
    </div>
  );
}

function scopeWords({ scopes }: Key): string {
  return scopes.includes(ALL) ? 'all' : scopes.join(', ');
}

function originWords({ origins, requireOrigin }: Key): string {
  const list = origins.length === 0 ? 'any' : origins.join(', ');
  return requireOrigin ? `${list} (required)` : list;
}

function Acts({ of: key, start }: { readonly of: Key; readonly start: (act: Act) => void }) {
  if (key.status !== 'active') return <span class="muted">—</span>;
  return (
    <div class="row-actions">
      <button type="button" class="small" onClick={() => start('uses')}>
        Uses
      </button>
      <button type="button" class="small" onClick={() => start('change')}>
        Change
      </button>
      <button type="button" class="small" onClick={() => start('rotate')}>
        Rotate
      </button>
      <button type="button" class="small danger" onClick={() => start('revoke')}>
        Revoke
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
  const here = useHere();
  const close = (): void => setOpen(null);
  const show = (title: string) => (made: MadeKey) => {
    setOpen({ act: 'shown', title, made });
    refresh();
  };
  const done = (words: string) => (): void => {
    here.say(words);
    refresh();
  };
  switch (open.act) {
    case 'create':
      return <CreateKey close={close} created={show('Your new key')} />;
    case 'shown':
      return (
        <ShowOnce title={open.title} text={open.made.key} close={close}>
          {open.made.overlapUntil !== undefined && (
            <p class="hint">
              The old secret is accepted until {exactTime(open.made.overlapUntil)}.
            </p>
          )}
        </ShowOnce>
      );
    case 'uses':
      return <KeyUses of={open.key} close={close} />;
    case 'change':
      return (
        <ChangeKey
          of={open.key}
          close={close}
          changed={() => {
            close();
            done('The key is changed.')();
          }}
        />
      );
    case 'rotate':
      return <RotateKey of={open.key} close={close} rotated={show('The new secret')} />;
    case 'revoke':
    case 'end-overlap':
      return <Ending act={open.act} of={open.key} close={close} here={here} done={done} />;
  }
}

function Ending({
  act,
  of: { id, name },
  close,
  here: { api },
  done,
}: {
  readonly act: 'revoke' | 'end-overlap';
  readonly of: Key;
  readonly close: () => void;
  readonly here: Here;
  readonly done: (words: string) => () => void;
}) {
  const post = () => ask(`${api}/keys/${id}/${act}`, undefined, 'POST');
  if (act === 'revoke') {
    return (
      <Confirm
        title={`Revoke ${name}?`}
        act="Revoke"
        close={close}
        perform={() => post().then(done('The key is revoked.'))}
      >
        Every request with {name} is rejected from now on. This cannot be undone.
      </Confirm>
    );
  }
  return (
    <Confirm
      title={`End the old secret of ${name}?`}
      act="End it now"
      close={close}
      perform={() => post().then(done('Only the new secret is accepted.'))}
    >
      Every request with the old secret is rejected from now on. The new secret stays.
    </Confirm>
  );
}
