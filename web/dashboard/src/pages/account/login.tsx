/** Sign-in: with a passkey, or by password and then the second factor if there is one. */

import { useState } from 'preact/hooks';
import { ask, type Json, Refusal } from '../../api.ts';
import { type Field, Form, type Values } from '../../parts/form.tsx';
import { hasPasskeys, signWithPasskey } from '../../passkey.ts';
import { useAnswer } from '../../query.ts';
import { SignedOutPage } from './signed-out-page.tsx';

const CODE: Field = {
  name: 'code',
  label: 'Code',
  autocomplete: 'one-time-code',
  hint: 'Six digits of your app, or one of your recovery codes.',
};

interface LoggedIn {
  /** The password would be refused today. */
  readonly isPasswordCommon?: true;
}

/** Null before the password; then the missing factor, with the values entered. */
type Step = { readonly needs: 'code' | 'passkey'; readonly values: Values } | null;

/** `words` say why a sign-in is needed; may be empty. */
export function Login({
  entered,
  words,
}: {
  readonly entered: (advice: string) => void;
  readonly words: string;
}) {
  const [step, setStep] = useState<Step>(null);
  const login = async (values: object): Promise<void> =>
    entered(adviceOf(await ask<LoggedIn>('/login', values)));
  if (step !== null) {
    const enter = (more: object) => login({ ...step.values, ...more });
    return (
      <SignedOutPage title="Second factor">
        {step.needs === 'passkey' && (
          <PasskeyButton label="Use a passkey" act={(passkey) => enter({ passkey })} />
        )}
        <Form
          fields={[CODE]}
          action={step.needs === 'passkey' ? 'Use the code' : 'Sign in'}
          submit={enter}
        />
      </SignedOutPage>
    );
  }
  return (
    <SignedOutPage title="Sign in">
      {words !== '' && (
        <p class="problem" role="alert">
          {words}
        </p>
      )}
      <Form
        fields={[
          { name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'username' },
          {
            name: 'password',
            label: 'Password',
            type: 'password',
            autocomplete: 'current-password',
          },
        ]}
        action="Sign in"
        submit={async (values) => {
          try {
            await login(values);
          } catch (error) {
            const code = error instanceof Refusal ? error.code : '';
            if (code === 'code_required') setStep({ needs: 'code', values });
            else if (code === 'passkey_required') setStep({ needs: 'passkey', values });
            else throw error;
          }
        }}
      />
      <PasskeySignIn entered={entered} />
      <p class="hint">
        No account yet, or locked out? The link that the service prints at its start creates the
        first account. Others join by an invitation of an owner.
      </p>
    </SignedOutPage>
  );
}

/** Passkeys work at one address: at another the button is replaced by a link to it, or by nothing. */
function PasskeySignIn({ entered }: { readonly entered: (advice: string) => void }) {
  const status = useAnswer<{ passkeyOrigin: string | null }>('/status');
  const origin = status.data?.passkeyOrigin;
  if (origin == null) return null;
  if (origin !== location.origin) {
    return (
      <p class="hint">
        Passkeys work at <a href={origin + location.pathname}>{origin}</a>.
      </p>
    );
  }
  return (
    <PasskeyButton
      label="Sign in with a passkey"
      act={async (passkey) => {
        await ask('/passkey/login', { passkey });
        entered('');
      }}
    />
  );
}

/** Signs with a passkey for `act`. Hidden in old browsers. */
function PasskeyButton({
  label,
  act,
}: {
  readonly label: string;
  readonly act: (passkey: Json) => Promise<void>;
}) {
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  if (!hasPasskeys()) return null;
  const press = async (): Promise<void> => {
    setProblem('');
    setBusy(true);
    try {
      const { options } = await ask<{ options: Json }>('/passkey/offer', undefined, 'POST');
      await act(await signWithPasskey(options));
    } catch (error) {
      setProblem((error as Error).message);
    }
    setBusy(false);
  };
  return (
    <>
      <div class="actions">
        <button type="button" disabled={isBusy} onClick={press}>
          {label}
        </button>
      </div>
      <p class="problem" role="alert">
        {problem}
      </p>
    </>
  );
}

function adviceOf({ isPasswordCommon = false }: { readonly isPasswordCommon?: boolean }): string {
  return isPasswordCommon
    ? 'Your password is a common one, or little more than a name that others know. Change it on your account page.'
    : '';
}
