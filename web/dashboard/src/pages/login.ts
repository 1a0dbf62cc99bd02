/** Signing in: with a passkey, or address and password and then the second factor where there is one. */

import { ask, type Json, Refusal } from '../api.ts';
import { hasPasskeys, signWithPasskey } from '../passkey.ts';
import { button, type Child, el, link, withAttributes } from '../ui/dom.ts';
import { type Field, form, type Values } from '../ui/form.ts';

const CODE: Field = {
  name: 'code',
  label: 'Code',
  autocomplete: 'one-time-code',
  hint: 'Six digits of your app, or one of your recovery codes.',
};

/** A page of its own for those who are not in. */
export function showAlone(root: HTMLElement, title: string, ...content: (Node | string)[]): void {
  document.title = `${title} · matchd`;
  const main = el('main', 'alone', el('p', 'brand', 'matchd'), el('h1', '', title), ...content);
  root.replaceChildren(main);
  main.querySelector<HTMLElement>('input, button')?.focus();
}

/** `words` say why; they may be empty. */
export function showLogin(
  root: HTMLElement,
  entered: (advice: string) => void,
  words: string,
): void {
  const fields = form(
    [
      { name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'username' },
      { name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password' },
    ],
    'Sign in',
    async (values) => {
      try {
        entered(adviceOf(await ask<LoggedIn>('/login', values)));
      } catch (error) {
        const code = error instanceof Refusal ? error.code : '';
        if (code === 'code_required') showCode(root, values, entered);
        else if (code === 'passkey_required') showPasskey(root, values, entered);
        else throw error;
      }
    },
  );
  const help =
    'No account yet, or locked out? The first account is made with the link that the service ' +
    'prints when it starts; members come by an invitation of an owner.';
  const why = withAttributes(el('p', 'problem', words), { role: 'alert' });
  const byPasskey = passkeyButton('Sign in with a passkey', why, async (passkey) => {
    await ask('/passkey/login', { passkey });
    entered('');
  });
  showAlone(root, 'Sign in', why, fields, byPasskey, el('p', 'hint', help));
  void sayWhere(byPasskey);
}

/** Signs with a passkey for `act`; what goes wrong is said in `problem`. Hidden from old browsers. */
function passkeyButton(
  label: string,
  problem: HTMLElement,
  act: (passkey: Json) => Promise<void>,
): HTMLElement {
  const press = button('', label, async () => {
    problem.textContent = '';
    press.disabled = true;
    try {
      const { options } = await ask<{ options: Json }>('/passkey/offer', undefined, 'POST');
      await act(await signWithPasskey(options));
    } catch (error) {
      problem.textContent = (error as Error).message;
    } finally {
      press.disabled = false;
    }
  });
  const element = el('div', 'actions', press);
  element.hidden = !hasPasskeys();
  return element;
}

/** Passkeys work at one address: at another it stands in the button's place, or nothing does. */
async function sayWhere(byPasskey: HTMLElement): Promise<void> {
  const { passkeyOrigin } = await ask<{ passkeyOrigin: string | null }>('/status');
  if (passkeyOrigin === location.origin) return;
  const there: Child =
    passkeyOrigin !== null && link(passkeyOrigin + location.pathname, '', passkeyOrigin);
  byPasskey.replaceChildren();
  if (there !== false) byPasskey.append(el('p', 'hint', 'Passkeys work at ', there, '.'));
}

function showPasskey(root: HTMLElement, before: Values, entered: (advice: string) => void): void {
  const problem = withAttributes(el('p', 'problem'), { role: 'alert' });
  const enter = async (more: object): Promise<void> => {
    entered(adviceOf(await ask<LoggedIn>('/login', { ...before, ...more })));
  };
  const byPasskey = passkeyButton('Use a passkey', problem, (passkey) => enter({ passkey }));
  const byCode = form([CODE], 'Use the code', enter);
  showAlone(root, 'Second factor', problem, byPasskey, byCode);
}

interface LoggedIn {
  /** The password is one that would be refused today. */
  readonly isPasswordCommon?: true;
}

function adviceOf({ isPasswordCommon = false }: { readonly isPasswordCommon?: boolean }): string {
  return isPasswordCommon
    ? 'Your password is a common one, or little more than a name that others know. Change it under Account.'
    : '';
}

function showCode(root: HTMLElement, before: Values, entered: (advice: string) => void): void {
  const fields = form([CODE], 'Sign in', async (values) => {
    entered(adviceOf(await ask<LoggedIn>('/login', { ...before, ...values })));
  });
  showAlone(root, 'Second factor', fields);
}
