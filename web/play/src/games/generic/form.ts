/** A text field for actions, for games whose actions cannot be listed. */

import type { AnyGame } from '../../../../../game/src/game.ts';
import type { Translate } from '../../i18n/translate.ts';
import { button, h, setEnabled, setText } from '../../ui/dom.ts';

export interface ActionForm {
  readonly element: HTMLElement;
  setEnabled(isEnabled: boolean): void;
  /** Describes the required action, once the rules are loaded. */
  explain(): void;
  /** An initial action, while the field is empty. */
  suggest(action: unknown): void;
}

export interface FormHost {
  readonly t: Translate;
  play(action: unknown): void;
  /** The rules, once they are loaded: they report an invalid action at once. */
  rules(): AnyGame | null;
}

export function makeForm({ t, play, rules }: FormHost): ActionForm {
  const field = h('textarea', {
    class: 'any-json',
    id: 'any-json',
    rows: 3,
    spellcheck: 'false',
    autocapitalize: 'off',
    'aria-describedby': 'any-fault',
  });
  const fault = h('p', { class: 'any-fault', id: 'any-fault', role: 'status' });
  const send = button('button is-primary is-small', t('any.send'), null, () => submit());
  let isWritten = false;
  const submit = (): void => {
    const read = parse(field.value);
    setText(fault, read === null ? t('any.noJson') : (faultOf(read.action, rules()) ?? ''));
    if (read !== null) play(read.action);
  };
  field.addEventListener('input', () => {
    isWritten = field.value !== '';
    const read = parse(field.value);
    const action = read?.action ?? (field.value === '' ? {} : null);
    setText(fault, action === null ? '' : (faultOf(action, rules()) ?? ''));
  });
  return {
    element: h(
      'div',
      { class: 'any-form' },
      h('label', { class: 'any-label', for: field.id }, t('any.json')),
      field,
      fault,
      send,
    ),
    explain() {
      if (field.value === '') setText(fault, faultOf({}, rules()) ?? '');
    },
    setEnabled: (isEnabled) => setEnabled(send, isEnabled),
    suggest(action) {
      if (!isWritten && action !== null) field.value = JSON.stringify(action);
    },
  };
}

/** Null for invalid JSON. */
function parse(text: string): { readonly action: unknown } | null {
  try {
    return { action: JSON.parse(text) as unknown };
  } catch {
    return null;
  }
}

/** The game's own message, which is for developers. The server decides. */
function faultOf(action: unknown, rules: AnyGame | null): string | null {
  if (rules === null || rules.parseAction(action) !== null) return null;
  return rules.actionFault?.(action) ?? null;
}
