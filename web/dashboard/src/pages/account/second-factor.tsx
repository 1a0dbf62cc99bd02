/** One-time codes as second factor: set up with a QR code, removed with a code. */

import { useState } from 'preact/hooks';
import { ask } from '../../api.ts';
import { useHere } from '../../here.ts';
import { Copyable } from '../../parts/copy.tsx';
import { Dialog, ShowOnce } from '../../parts/dialog.tsx';
import { type Field, Form } from '../../parts/form.tsx';
import { QrPicture } from '../../parts/qr-picture.tsx';
import { useClient } from '../../query.ts';
import type { Me } from '../../types.ts';

interface Offer {
  readonly sealed: string;
  readonly secret: string;
  readonly uri: string;
}

/** Which dialog is open. */
type Open =
  | { readonly step: 'password' | 'drop' }
  | { readonly step: 'confirm'; readonly offer: Offer }
  | { readonly step: 'codes'; readonly codes: readonly string[] };

const CURRENT: Field = {
  name: 'password',
  label: 'Your password',
  type: 'password',
  autocomplete: 'current-password',
};
const CODE: Field = { name: 'code', label: 'Code', autocomplete: 'one-time-code' };

export function SecondFactor() {
  const { me } = useHere();
  const [open, setOpen] = useState<Open | null>(null);
  return (
    <>
      {me.hasTotp ? (
        <>
          <p>On. {codesLeft(me)}</p>
          <button type="button" class="danger" onClick={() => setOpen({ step: 'drop' })}>
            Remove the second factor
          </button>
        </>
      ) : (
        <>
          <p>
            {me.hasSecondFactor
              ? 'A code of an app, as another way to sign in after the password.'
              : 'A code of an app, asked for besides the password. Without it, a stolen password is enough to sign in.'}
          </p>
          {me.hasSecondFactor && <p>{codesLeft(me)}</p>}
          <button type="button" class="primary" onClick={() => setOpen({ step: 'password' })}>
            Set up a second factor
          </button>
        </>
      )}
      {open !== null && <Opened open={open} setOpen={setOpen} />}
    </>
  );
}

/** The recovery codes that are left. */
const codesLeft = ({ recoveryCodes }: Me): string => `${recoveryCodes} recovery codes are left.`;

function Opened({
  open,
  setOpen,
}: {
  readonly open: Open;
  readonly setOpen: (open: Open | null) => void;
}) {
  const { say } = useHere();
  const client = useClient();
  const close = (): void => setOpen(null);
  const refresh = () => client.invalidateQueries({ queryKey: ['/me'] });
  switch (open.step) {
    case 'password':
      return (
        <Dialog key="password" title="Set up a second factor" close={close}>
          <Form
            fields={[CURRENT]}
            action="Continue"
            cancel={close}
            submit={async (values) =>
              setOpen({ step: 'confirm', offer: await ask<Offer>('/me/totp/offer', values) })
            }
          />
        </Dialog>
      );
    case 'confirm':
      return (
        <Connect
          key="confirm"
          offer={open.offer}
          close={close}
          done={(codes) => setOpen({ step: 'codes', codes })}
        />
      );
    case 'codes':
      return (
        <ShowOnce
          key="codes"
          title="Recovery codes"
          text={open.codes.join('\n')}
          close={() => {
            close();
            void refresh();
          }}
        >
          <p>Each works once, in case you lose your phone.</p>
        </ShowOnce>
      );
    case 'drop':
      return (
        <Dialog key="drop" title="Remove the second factor?" close={close}>
          <Form
            fields={[CURRENT, { ...CODE, hint: 'Of the app, or a recovery code.' }]}
            action="Remove"
            cancel={close}
            submit={async (values) => {
              await ask('/me/totp/drop', values);
              close();
              await refresh();
              say('The second factor is removed.');
            }}
          />
        </Dialog>
      );
  }
}

function Connect({
  offer: { sealed, secret, uri },
  close,
  done,
}: {
  readonly offer: Offer;
  readonly close: () => void;
  readonly done: (recoveryCodes: readonly string[]) => void;
}) {
  return (
    <Dialog title="Connect your app" close={close}>
      <p>Scan this picture with your app, or type the secret into it.</p>
      <QrPicture text={uri} label="The secret as a QR code" />
      <Copyable text={secret.replace(/(.{4})/g, '$1 ').trim()} />
      <p>
        <a href={uri}>Open in the app</a>
      </p>
      <Form
        fields={[{ ...CODE, hint: 'The six digits that the app then shows.' }]}
        action="Turn on"
        cancel={close}
        submit={async (values) => {
          const body = { sealed, ...values };
          const made = await ask<{ recoveryCodes: readonly string[] }>('/me/totp/confirm', body);
          done(made.recoveryCodes);
        }}
      />
    </Dialog>
  );
}
