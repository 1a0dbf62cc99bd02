/** The button that opens the fairness panel, whose code is loaded on the first press. */

import type { Translate } from '../i18n/translate.ts';
import { button } from '../ui/dom.ts';
import { makeIcon } from '../ui/icons.ts';
import { reloadInstead } from '../ui/reload-instead.ts';
import type { FairSource } from './panel.ts';

/** `source` is called at each press. */
export function makeFairButton(t: Translate, source: () => FairSource): HTMLButtonElement {
  const element = button('button is-small fair', t('fair.title'), makeIcon('shield'), () => {
    void open();
  });
  const open = async (): Promise<void> => {
    try {
      const { showFairness } = await import('./panel.ts');
      showFairness(element.closest('.app') ?? document.body, t, source());
    } catch {
      reloadInstead(element, t);
    }
  };
  return element;
}
