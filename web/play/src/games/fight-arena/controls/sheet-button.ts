/** The button on the stage that opens the list of moves, which is loaded on demand. */

import type { Translate } from '../../../i18n/translate.ts';
import { button, h } from '../../../ui/dom.ts';
import { makeIcon } from '../../../ui/icons.ts';
import type { Settings } from '../../../ui/settings.ts';
import type { Sheet } from './sheet.ts';

export interface SheetButton {
  readonly button: HTMLButtonElement;
  /** The container of the sheet. */
  readonly place: HTMLElement;
}

export function makeSheetButton(
  t: Translate,
  settings: Settings,
  mayTrain: () => boolean,
): SheetButton {
  const place = h('div', { class: 'fa-sheet-place' });
  let sheet: Sheet | null = null;
  let isLoading = false;
  /** A pointer leaves the keyboard focus in place: Space is an attack, not a button press. */
  let isByKeys = false;
  const mark = (isOpen: boolean): void => opener.setAttribute('aria-expanded', String(isOpen));
  const toggle = async (): Promise<void> => {
    if (sheet === null) {
      if (isLoading) return;
      isLoading = true;
      try {
        const { makeSheet } = await import('./sheet.ts');
        sheet = makeSheet(t, settings, () => {
          mark(false);
          if (isByKeys) opener.focus();
          else opener.blur();
        });
        place.append(sheet.element);
      } catch {
        // The next press requests it again.
        return;
      } finally {
        isLoading = false;
      }
    }
    if (sheet.element.hidden) {
      sheet.open(mayTrain());
      mark(true);
    } else sheet.close();
  };
  const opener = button('button fa-open', t('fight.moves'), makeIcon('list'), () => void toggle());
  opener.addEventListener('click', ({ detail }) => {
    isByKeys = detail === 0;
  });
  mark(false);
  return { button: opener, place };
}
