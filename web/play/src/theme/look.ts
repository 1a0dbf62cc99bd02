/** The page's theme: light or dark and its colours, as the device, the host or the tenant choose. */

import { parseColour } from './colour.ts';
import type { ColourName, Colours, Paint, Palette } from './palette.ts';
import { COLOUR_NAMES, isDark, makePaint } from './palette.ts';

export type Scheme = 'light' | 'dark' | 'auto';

export interface Look {
  setScheme(scheme: Scheme): void;
  /** Null restores the page's own colours. */
  setPalette(palette: Palette | null): void;
}

/** Custom properties by their meaning; those of the twelve begin with `--mp-`. */
const PROPERTIES: Readonly<Record<keyof Paint, string>> = {
  background: '--mp-background',
  surface: '--mp-surface',
  text: '--mp-text',
  primary: '--mp-primary',
  accent: '--mp-accent',
  boardLight: '--mp-board-light',
  boardDark: '--mp-board-dark',
  piece1: '--mp-piece-1',
  piece2: '--mp-piece-2',
  piece3: '--mp-piece-3',
  piece4: '--mp-piece-4',
  muted: '--muted',
  primaryText: '--primary-text',
  onPrimary: '--on-primary',
  amber: '--amber',
  danger: '--danger',
  onDanger: '--on-danger',
  onBoard: '--on-board',
  mark1: '--mark-1',
  mark2: '--mark-2',
  ink1: '--ink-1',
  ink2: '--ink-2',
};
const RADIUS = '--mp-radius';

/** `changed` is called whenever colours have changed, so that canvases are redrawn. */
export function makeLook(root: HTMLElement, changed: () => void): Look {
  const prefersDark = matchMedia('(prefers-color-scheme: dark)');
  let scheme: Scheme = 'auto';
  let palette: Palette | null = null;
  const renew = (): void => {
    apply(root, scheme, palette, prefersDark.matches);
    changed();
  };
  prefersDark.addEventListener('change', renew);
  return {
    setScheme(next) {
      scheme = next;
      renew();
    },
    setPalette(next) {
      palette = next;
      renew();
    },
  };
}

/** A tenant's background determines whether the dark or light defaults apply. */
function apply(
  root: HTMLElement,
  preference: Scheme,
  palette: Palette | null,
  prefersDark: boolean,
): void {
  const { style, dataset } = root;
  for (const property of [...Object.values(PROPERTIES), RADIUS]) style.removeProperty(property);
  const preferred = preference === 'auto' ? (prefersDark ? 'dark' : 'light') : preference;
  const ground = palette?.colours.background;
  const scheme = ground === undefined ? preferred : isDark(ground) ? 'dark' : 'light';
  dataset['theme'] = palette === null ? preference : scheme;
  // Seat 1 of checkers is black by default, but not against a tenant's theme.
  root.toggleAttribute('data-own-piece2', palette?.colours.piece2 !== undefined);
  if (palette === null) return;
  const defaults = getComputedStyle(root);
  const read = (property: string): string =>
    parseColour(defaults.getPropertyValue(property).trim()) ?? '#000000';
  const colours = Object.fromEntries(
    COLOUR_NAMES.map((name) => [name, palette.colours[name] ?? read(PROPERTIES[name])]),
  ) as Record<ColourName, string> satisfies Colours;
  const paint = makePaint(colours, read(PROPERTIES.danger), read(PROPERTIES.amber));
  for (const [name, property] of Object.entries(PROPERTIES)) {
    style.setProperty(property, paint[name as keyof Paint]);
  }
  if (palette.radiusPx !== null) style.setProperty(RADIUS, `${palette.radiusPx}px`);
}
