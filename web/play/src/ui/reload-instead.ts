/** A part of the page could not be fetched. Browsers do not ask again for a module that failed once. */

import type { Translate } from '../i18n/translate.ts';
import { setText } from './dom.ts';

/** From now on the button reloads the whole page: a match comes back as it is. */
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
