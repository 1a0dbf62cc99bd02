/** The style of the board for any game, which is loaded with its code: pages of other games do not load it. */

import { adoptSheet } from '../adopt-sheet.ts';
import css from './generic.css' with { type: 'text' };

/** Once for each document. */
export function adoptStyle(): void {
  const { dataset } = document.documentElement;
  if (dataset['anyStyle'] !== undefined) return;
  dataset['anyStyle'] = '';
  adoptSheet(css);
}
