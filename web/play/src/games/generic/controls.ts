/** Buttons for held input in a real-time game: one for each bit of the mask. */

import type { Translate } from '../../i18n/translate.ts';
import { h } from '../../ui/dom.ts';
import type { KnownText } from '../operator/text.ts';
import type { Presses } from '../presses.ts';

/** For buttons without a named key: the digits, in order. */
const DIGITS = 10;

export interface Controls {
  readonly element: HTMLElement;
  /** Releases all buttons and the keyboard. */
  stop(): void;
}

/** `isOn` returns whether keys go to the game now. */
export function makeControls(
  maskMax: number,
  presses: Presses,
  { t, known }: { readonly t: Translate; readonly known: KnownText },
  isOn: () => boolean,
): Controls {
  const bits = Array.from({ length: 32 - Math.clz32(maskMax) }, (_, bit) => bit);
  const codes = new Map(bits.map((bit) => [codeOf(bit, known), bit] as const));
  const buttons = bits.map((bit) => makeButton(bit, presses, t, known));
  const press = (event: KeyboardEvent): void => {
    const bit = codes.get(event.code);
    if (bit === undefined || !isOn() || isTaken(event)) return;
    event.preventDefault();
    if (!event.repeat) presses.press(event.code, 1 << bit);
  };
  const release = (event: KeyboardEvent): void => presses.release(event.code);
  const drop = (): void => {
    for (const code of codes.keys()) presses.release(code);
    for (const bit of bits) presses.release(`button${bit}`);
  };
  window.addEventListener('keydown', press);
  window.addEventListener('keyup', release);
  window.addEventListener('blur', drop);
  return {
    element: h(
      'div',
      { class: 'any-controls', role: 'group', 'aria-label': t('any.controls') },
      ...buttons,
    ),
    stop() {
      drop();
      window.removeEventListener('keydown', press);
      window.removeEventListener('keyup', release);
      window.removeEventListener('blur', drop);
    },
  };
}

/** The author's own name of a key (`KeyboardEvent.code`), else a digit. */
function codeOf(bit: number, known: KnownText): string {
  return known(`key.${bit}`) ?? `Digit${(bit + 1) % DIGITS}`;
}

function makeButton(
  bit: number,
  presses: Presses,
  t: Translate,
  known: KnownText,
): HTMLButtonElement {
  const label = known(`control.${bit}`) ?? t('any.control', { number: bit + 1 });
  const key = codeOf(bit, known).replace(/^(?:Key|Digit|Arrow)/, '');
  const source = `button${bit}`;
  const button = h(
    'button',
    { type: 'button', class: 'button any-control', 'aria-keyshortcuts': key },
    h('span', {}, label),
    h('kbd', { 'aria-hidden': 'true' }, key),
  );
  button.addEventListener('pointerdown', (event) => {
    button.setPointerCapture(event.pointerId);
    presses.press(source, 1 << bit);
  });
  for (const kind of ['pointerup', 'pointercancel'] as const) {
    button.addEventListener(kind, () => presses.release(source));
  }
  button.addEventListener('contextmenu', (event) => event.preventDefault());
  // For the keyboard and for screen readers: a press that ends at once.
  button.addEventListener('click', (event) => {
    if (event.detail !== 0) return;
    presses.press(source, 1 << bit);
    presses.release(source);
  });
  return button;
}

/** Where keys have their usual meaning: fields and dialogs, and Space on a button. */
function isTaken(event: KeyboardEvent): boolean {
  if (event.altKey || event.ctrlKey || event.metaKey) return true;
  const target = event.target instanceof Element ? event.target : null;
  if (document.querySelector('dialog[open]') !== null) return true;
  if (target?.closest('input, select, textarea, [contenteditable]')) return true;
  return event.code === 'Space' && target?.closest('button, a') != null;
}
