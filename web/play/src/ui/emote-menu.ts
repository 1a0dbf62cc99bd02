/** The menu of the twelve emotes: opens above its button; a choice, Escape or a press elsewhere closes it. */

import type { Translate } from '../i18n/translate.ts';
import type { Emote } from '../protocol.ts';
import { EMOTES } from '../protocol.ts';
import { button, h, keepKeyboard, setEnabled } from './dom.ts';
import { makeEmote, makeIcon } from './icons.ts';

/** One emote in this time; the server rejects more anyway. Milliseconds. */
const PAUSE_MS = 1_200;

export interface EmoteMenu {
  readonly element: HTMLElement;
  setEnabled(enabled: boolean): void;
}

export function makeEmoteMenu(t: Translate, send: (emote: Emote) => void): EmoteMenu {
  const opener = button('button', t('action.emote'), makeIcon('smile'), () =>
    toggle(list.hidden !== false),
  );
  opener.setAttribute('aria-expanded', 'false');
  const list = h('div', { class: 'emotes', role: 'group', 'aria-label': t('action.emote') });
  list.hidden = true;
  const element = h('div', { class: 'emote-menu' }, opener, list);
  let enabled = true;
  let resting = false;
  const renew = (): void => {
    setEnabled(opener, enabled && !resting);
  };
  const toggle = (open: boolean): void => {
    keepKeyboard(list, opener, () => {
      list.hidden = !open;
    });
    opener.setAttribute('aria-expanded', String(open));
    if (open) (list.firstElementChild as HTMLElement).focus();
  };
  const choose = (emote: Emote): void => {
    toggle(false);
    send(emote);
    resting = true;
    renew();
    setTimeout(() => {
      resting = false;
      renew();
    }, PAUSE_MS);
  };
  list.append(...EMOTES.map((emote) => makeChoice(emote, t, choose)));
  closeElsewhere(
    element,
    () => list.hidden !== false,
    () => toggle(false),
  );
  return {
    element,
    setEnabled(next) {
      enabled = next;
      if (!next) toggle(false);
      renew();
    },
  };
}

function makeChoice(emote: Emote, t: Translate, choose: (emote: Emote) => void): HTMLElement {
  const label = t(`emote.${emote}`);
  const element = h(
    'button',
    { type: 'button', class: 'emote', 'aria-label': label, title: label },
    makeEmote(emote),
  );
  element.addEventListener('click', () => choose(emote));
  return element;
}

function closeElsewhere(element: HTMLElement, isClosed: () => boolean, close: () => void): void {
  element.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || isClosed()) return;
    close();
  });
  document.addEventListener('pointerdown', (event) => {
    if (!isClosed() && !element.contains(event.target as Node)) close();
  });
  element.addEventListener('focusout', (event) => {
    const to = event.relatedTarget as Node | null;
    if (!isClosed() && to !== null && !element.contains(to)) close();
  });
}
