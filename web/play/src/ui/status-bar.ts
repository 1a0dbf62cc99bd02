/** The container of the status line: always the same height, whatever the text. */

import type { Translate } from '../i18n/translate.ts';
import type { StatusLine } from '../status-line.ts';
import { button, h, keepKeyboard, setText } from './dom.ts';

export interface StatusBar {
  readonly element: HTMLElement;
  /** `names` are those that the line may contain. */
  show(line: StatusLine, names?: readonly string[]): void;
}

/** A longer name may be shortened, so that the rest stays readable. */
const SHORT_NAME_CHARS = 12;

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
    // An answered question releases the focus to here.
    { class: 'status', 'aria-label': t('status.label'), tabindex: -1 },
    h('div', { class: 'status-words' }, text, detail),
    retry,
    draw,
  );
  return {
    element,
    show({ tone, text: words, detail: more, offers }, names = []) {
      element.dataset['tone'] = tone;
      if (text.textContent !== words) text.replaceChildren(...partsOf(words, names));
      setText(detail, more ?? '');
      detail.hidden = more === null;
      keepKeyboard(element, element, () => {
        retry.hidden = offers !== 'retry';
        draw.hidden = offers !== 'draw';
      });
    },
  };
}

/** A text with its long names in separate elements. */
function partsOf(text: string, names: readonly string[]): (string | HTMLElement)[] {
  const name = names.find((each) => each.length > SHORT_NAME_CHARS && text.includes(each));
  if (name === undefined) return [text];
  const at = text.indexOf(name);
  return [
    ...partsOf(text.slice(0, at), names),
    h('span', { class: 'status-name' }, name),
    ...partsOf(text.slice(at + name.length), names),
  ];
}
