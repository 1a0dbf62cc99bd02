/** The place of the status line: always the same height, whatever it has to say. */

import type { Translate } from '../i18n/translate.ts';
import type { StatusLine } from '../status-line.ts';
import { button, h, keepKeyboard, setText } from './dom.ts';

export interface StatusBar {
  readonly element: HTMLElement;
  show(line: StatusLine): void;
}

export interface StatusActions {
  retryNow(): void;
  acceptDraw(): void;
  declineDraw(): void;
}

export function makeStatusBar(t: Translate, actions: StatusActions): StatusBar {
  const text = h('p', { class: 'status-text' });
  const detail = h('p', { class: 'status-detail' });
  const retry = h(
    'div',
    { class: 'status-actions' },
    button('button is-small', t('status.retryNow'), null, actions.retryNow),
  );
  const draw = h(
    'div',
    { class: 'status-actions' },
    button('button is-small is-primary', t('action.accept'), null, actions.acceptDraw),
    button('button is-small', t('action.decline'), null, actions.declineDraw),
  );
  const element = h(
    'section',
    // What was asked and is answered leaves the keyboard here.
    { class: 'status', 'aria-label': t('status.label'), tabindex: -1 },
    h('div', { class: 'status-words' }, text, detail),
    retry,
    draw,
  );
  return {
    element,
    show({ tone, text: words, detail: more, offers }) {
      element.dataset['tone'] = tone;
      setText(text, words);
      setText(detail, more ?? '');
      detail.hidden = more === null;
      keepKeyboard(element, element, () => {
        retry.hidden = offers !== 'retry';
        draw.hidden = offers !== 'draw';
      });
    },
  };
}
