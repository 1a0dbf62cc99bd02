/** A line above the buttons: what was promised for the match, and who looks on. */

import { makeFairButton } from '../fairness/fair-button.ts';
import type { Translate } from '../i18n/translate.ts';
import type { Model } from '../model.ts';
import { h, setText } from './dom.ts';
import { makeIcon } from './icons.ts';

export interface Strip {
  readonly element: HTMLElement;
  /** The button of fairness: it stands here unless there is room for it elsewhere. */
  readonly fair: HTMLButtonElement;
  update(model: Model): void;
}

export function makeStrip(t: Translate): Strip {
  let promised: string | null = null;
  const fair = makeFairButton(t, () => ({ promised, replay: null }));
  const words = h('span');
  const watching = h('p', { class: 'watching' }, makeIcon('eye'), words);
  const element = h('div', { class: 'strip' }, watching, fair);
  return {
    element,
    fair,
    update({ session, watchers }) {
      promised = session?.commitment ?? null;
      const isOver = session?.status === 'ended';
      const isWatching = session !== null && session.seat === null;
      const others = watchers ?? 0;
      fair.hidden = promised === null || isOver;
      watching.hidden = isOver || (!isWatching && others === 0);
      const count = others > 0 ? t('watch.count', { count: others }) : null;
      setText(words, [isWatching ? t('watch.badge') : null, count].filter(Boolean).join(' · '));
      const isFairElsewhere = fair.parentElement !== element;
      element.hidden = session === null || ((fair.hidden || isFairElsewhere) && watching.hidden);
    },
  };
}
