/** @table The buttons: the name of each, and its icon on a field of 24 by 24. */

import {
  DASH,
  HEAVY,
  LIGHT,
  SPECIAL,
  THROW,
} from '../../../../../../src/games/fight-arena/controls.ts';
import type { Key } from '../../../i18n/translate.ts';
import { svg } from '../../../ui/dom.ts';

export interface Pad {
  readonly name: string;
  readonly control: number;
  readonly label: Key;
  readonly paths: readonly string[];
}

export const PADS: readonly Pad[] = [
  {
    name: 'light',
    control: LIGHT,
    label: 'fight.light',
    paths: ['M5 12h10M11 7l5 5l-5 5'],
  },
  {
    name: 'heavy',
    control: HEAVY,
    label: 'fight.heavy',
    paths: ['M3 12h9M8 6l6 6l-6 6M14 6l6 6l-6 6'],
  },
  {
    name: 'special',
    control: SPECIAL,
    label: 'fight.special',
    paths: ['M13 3L6 13.5h5L10 21l8-11h-5.5z'],
  },
  {
    name: 'throw',
    control: THROW,
    label: 'fight.throw',
    paths: ['M5 18c0-8 5-12 11-12M12 3l4.5 3L13 10.5'],
  },
  {
    name: 'dash',
    control: DASH,
    label: 'fight.dash',
    paths: ['M4 8h6M3 12h8M4 16h6M14 7l5 5l-5 5'],
  },
];

export function padIcon({ paths }: Pad): SVGSVGElement {
  return svg(
    'svg',
    { class: 'icon', viewBox: '0 0 24 24', 'aria-hidden': 'true' },
    ...paths.map((d) => svg('path', { d })),
  );
}
