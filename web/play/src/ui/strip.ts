/** A line above the buttons: the match's commitment, and that the viewer is watching. */

import { makeFairButton } from '../fairness/fair-button.ts';
import type { Translate } from '../i18n/translate.ts';
import type { Model } from '../model.ts';
import { h, setText } from './dom.ts';
import { makeIcon } from './icons.ts';

export interface Strip {
  readonly element: HTMLElement;
  /** The container of the fairness button, unless there is room for it elsewhere. */
  readonly fair: HTMLButtonElement;
  update(model: Model): void;
}

export function makeStrip(t: Translate): Strip {
  let commitment: string | null = null;
  const fair = makeFairButton(t, () => ({ commitment, replay: null }));
  const words = h('span');
  const watching = h('p', { class: 'watching' }, makeIcon('eye'), words);
  const element = h('div', { class: 'strip' }, watching, fair);
  return {
    element,
    fair,
    update({ session, watchers }) {
      commitment = session?.commitment ?? null;
      const isOver = session?.status === 'ended';
      const isWatching = session !== null && session.seat === null;
      fair.hidden = commitment === null || isOver;
      watching.hidden = isOver || !isWatching;
      const count = (watchers ?? 0) > 0 ? t('watch.count', { count: watchers! }) : null;
      setText(words, [t('watch.badge'), count].filter(Boolean).join(' · '));
      const isFairElsewhere = fair.parentElement !== element;
      element.hidden = session === null || ((fair.hidden || isFairElsewhere) && watching.hidden);
    },
  };
}
