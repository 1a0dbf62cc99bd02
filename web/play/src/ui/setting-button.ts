/** A button that turns a setting on and off. */

import type { Key, Translate } from '../i18n/translate.ts';
import { button } from './dom.ts';
import type { SettingName, Settings } from './settings.ts';

const LABELS: Readonly<Record<SettingName, Key>> = {
  autoRoll: 'ludo.auto',
  ballPaths: 'pool.paths',
  vibrate: 'action.vibrate',
  netFigures: 'fight.netFigures',
  hitBoxes: 'fight.hitBoxes',
  frameData: 'fight.frameData',
  inputs: 'fight.inputs',
};

export function makeSettingButton(
  t: Translate,
  settings: Settings,
  name: SettingName,
): HTMLButtonElement {
  const element = button('button is-small setting', t(LABELS[name]), null, () =>
    settings.set(name, !settings.isOn(name)),
  );
  const renew = (): void => element.setAttribute('aria-pressed', String(settings.isOn(name)));
  settings.onChange(renew);
  renew();
  return element;
}
