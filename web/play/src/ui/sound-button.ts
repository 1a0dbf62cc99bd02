/** Turns the sounds off and on again. */

import type { Translate } from '../i18n/translate.ts';
import { button } from './dom.ts';
import { makeIcon } from './icons.ts';
import type { Sound } from './sound.ts';

export function makeSoundButton(t: Translate, sound: Sound): HTMLButtonElement {
  const element = button('button sound', t('action.sound'), makeIcon('sound'), () =>
    sound.setMuted(!sound.muted),
  );
  const renew = (): void => {
    element.setAttribute('aria-pressed', String(!sound.muted));
    element.firstElementChild!.replaceWith(makeIcon(sound.muted ? 'silence' : 'sound'));
  };
  // The embedding page may change it, too, and so may the button of a replay.
  sound.onMuted(renew);
  renew();
  return element;
}
