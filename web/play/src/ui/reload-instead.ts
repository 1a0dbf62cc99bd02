/** Offers a reload when a part of the page could not be fetched: browsers do not request a failed module again. */

import type { Translate } from '../i18n/translate.ts';
import { setText } from './dom.ts';

/** From now on the button reloads the whole page, which restores the match. */
export function reloadInstead(button: HTMLButtonElement, t: Translate): void {
  setText(button.lastElementChild!, t('notice.reload'));
  button.addEventListener(
    'click',
    (event) => {
      event.stopImmediatePropagation();
      location.reload();
    },
    { capture: true },
  );
}
