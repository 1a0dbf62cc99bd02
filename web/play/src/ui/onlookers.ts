/** Shows players on the row of plates how many watch. Watchers see it elsewhere (`strip.ts`). */

import type { Translate } from '../i18n/translate.ts';
import type { Model } from '../model.ts';
import { h, setText } from './dom.ts';
import { makeIcon } from './icons.ts';

export interface Onlookers {
  readonly element: HTMLElement;
  update(model: Pick<Model, 'session' | 'watchers'>): void;
}

export function makeOnlookers(t: Translate): Onlookers {
  const number = h('span', { 'aria-hidden': 'true' });
  const words = h('span', { class: 'only-heard' });
  const element = h('p', { class: 'onlookers', hidden: true }, makeIcon('eye'), number, words);
  return {
    element,
    update({ session, watchers }) {
      const count = watchers ?? 0;
      const isPlaying = session !== null && session.seat !== null && session.status !== 'ended';
      element.hidden = !isPlaying || count === 0;
      const text = t('watch.count', { count });
      setText(number, String(count));
      setText(words, text);
      element.title = text;
    },
  };
}
