/** The look of the board for any game, which comes with its code: pages of other games do not load it. */

import css from './generic.css' with { type: 'text' };

/** Once for each document. */
export function adoptStyle(): void {
  const { dataset } = document.documentElement;
  if (dataset['anyStyle'] !== undefined) return;
  dataset['anyStyle'] = '';
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}
