/** The keys and their actions, below the stage, with the names on this keyboard. */

import {
  DASH,
  DOWN,
  HEAVY,
  LEFT,
  LIGHT,
  RIGHT,
  SPECIAL,
  THROW,
  UP,
} from '../../../../../../src/games/fight-arena/controls.ts';
import type { Key, Translate } from '../../../i18n/translate.ts';
import { h, setText } from '../../../ui/dom.ts';
import type { Layout } from './keyboard.ts';
import { LAYOUTS } from './keyboard.ts';

const MOVES = [UP, LEFT, DOWN, RIGHT];
const ACTIONS: readonly (readonly [control: number, label: Key])[] = [
  [LIGHT, 'fight.light'],
  [HEAVY, 'fight.heavy'],
  [SPECIAL, 'fight.special'],
  [THROW, 'fight.throw'],
  [DASH, 'fight.dash'],
];
const ARROWS: Readonly<Record<string, string>> = {
  ArrowUp: '↑',
  ArrowLeft: '←',
  ArrowDown: '↓',
  ArrowRight: '→',
};

/** The keyboard layout, in browsers that expose it. */
interface KeyboardInfo {
  getLayoutMap(): Promise<ReadonlyMap<string, string>>;
}

/** The name of a key; `names` is the browser's map of this keyboard. */
export function keyName(code: string, names: ReadonlyMap<string, string>, t: Translate): string {
  if (code === 'Space') return t('fight.space');
  const own = names.get(code);
  if (own !== undefined && own !== '') return own.toUpperCase();
  return ARROWS[code] ?? code.replace(/^Key/, '');
}

export function makeKeyHelp(t: Translate): HTMLElement {
  const caps: (readonly [code: string, cap: HTMLElement])[] = [];
  const rows = LAYOUTS.map((layout, number) => makeRow(layout, number, caps, t));
  const hints = h('p', { class: 'fa-hint' }, t('fight.help'));
  const name = (names: ReadonlyMap<string, string>): void => {
    for (const [code, cap] of caps) setText(cap, keyName(code, names, t));
  };
  name(new Map());
  const { keyboard } = navigator as Navigator & { readonly keyboard?: KeyboardInfo };
  // A cross-origin frame may lack permission.
  keyboard?.getLayoutMap?.().then(name, () => {});
  return h('section', { class: 'fa-keys', 'aria-label': t('fight.keys') }, ...rows, hints);
}

function makeRow(
  layout: Layout,
  number: number,
  caps: (readonly [string, HTMLElement])[],
  t: Translate,
): HTMLElement {
  const codes = new Map(layout);
  const cap = (control: number): HTMLElement => {
    const element = h('kbd');
    caps.push([codes.get(control)!, element]);
    return element;
  };
  const item = (label: string, controls: readonly number[]): HTMLElement =>
    h('span', { class: 'fa-key' }, ...controls.map(cap), h('span', {}, label));
  return h(
    'p',
    { class: 'fa-layout' },
    h('span', { class: 'fa-layout-name' }, t('fight.layout', { number: number + 1 })),
    item(t('fight.move'), MOVES),
    ...ACTIONS.map(([control, label]) => item(t(label), [control])),
  );
}
