/** A question in the browser's own dialog: it traps the focus and closes on Escape. */

import type { Translate } from '../i18n/translate.ts';
import { button, h } from './dom.ts';

export interface Confirm {
  readonly element: HTMLDialogElement;
  /** Asks; `yes` is called when the player means it. */
  ask(question: string, detail: string, yes: () => void): void;
  /** Takes the question back: there is nothing left to confirm. */
  withdraw(): void;
}

export function makeConfirm(t: Translate): Confirm {
  const question = h('h2', { id: 'confirm-question' });
  const detail = h('p', { id: 'confirm-detail' });
  let agreed: () => void = () => {};
  const close = (): void => element.close();
  const element = h(
    'dialog',
    { class: 'dialog', 'aria-labelledby': question.id, 'aria-describedby': detail.id },
    question,
    detail,
    h(
      'div',
      { class: 'dialog-actions' },
      button('button', t('confirm.no'), null, close),
      button('button is-danger', t('confirm.yes'), null, () => {
        close();
        agreed();
      }),
    ),
  );
  element.addEventListener('click', (event) => {
    if (event.target === element) close();
  });
  return {
    element,
    ask(words, more, yes) {
      question.textContent = words;
      detail.textContent = more;
      agreed = yes;
      element.showModal();
    },
    withdraw: close,
  };
}
