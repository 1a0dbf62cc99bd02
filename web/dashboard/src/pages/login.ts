/** Signing in: address and password, then the code of the second factor where there is one. */

import { ask, Refusal } from '../api.ts';
import { el, withAttributes } from '../ui/dom.ts';
import { form, type Values } from '../ui/form.ts';

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
        if (!(error instanceof Refusal) || error.code !== 'code_required') throw error;
        showCode(root, values, entered);
      }
    },
  );
  const help =
    'No account yet, or locked out? The first account is made with the link that the service ' +
    'prints when it starts; members come by an invitation of an owner.';
  const why = withAttributes(el('p', 'problem', words), { role: 'alert' });
  showAlone(root, 'Sign in', why, fields, el('p', 'hint', help));
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
  const fields = form(
    [
      {
        name: 'code',
        label: 'Code',
        autocomplete: 'one-time-code',
        hint: 'Six digits of your app, or one of your recovery codes.',
      },
    ],
    'Sign in',
    async (values) => {
      entered(adviceOf(await ask<LoggedIn>('/login', { ...before, ...values })));
    },
  );
  showAlone(root, 'Second factor', fields);
}
