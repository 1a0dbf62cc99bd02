/** The positions of the pockets on the screen. Pure. */

import type { Pocket } from '../../../../../src/games/pool/physics/table.ts';
import type { Key } from '../../i18n/translate.ts';

/** On a horizontal table the head is at the left; on a vertical one at the bottom. */
const PLACES: Readonly<Record<Pocket, readonly [lying: Key, standing: Key]>> = {
  'head-left': ['pool.topLeft', 'pool.bottomLeft'],
  'side-left': ['pool.top', 'pool.left'],
  'foot-left': ['pool.topRight', 'pool.topLeft'],
  'foot-right': ['pool.bottomRight', 'pool.topRight'],
  'side-right': ['pool.bottom', 'pool.right'],
  'head-right': ['pool.bottomLeft', 'pool.bottomRight'],
};

export function placeOf(pocket: Pocket, upright: boolean): Key {
  return PLACES[pocket][upright ? 1 : 0];
}
