/** A confirmation in the browser's own dialog, which traps the focus and closes on Escape. */

import type { Translate } from '../i18n/translate.ts';
import { button, h } from './dom.ts';

export interface Confirm {
  readonly element: HTMLDialogElement;
  /** Opens the dialog; `yes` is called when the player confirms. */
  ask(question: string, detail: string, yes: () => void): void;
  /** Closes the dialog, because there is nothing left to confirm. */
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
