/** The look and language of the match: the switches of the toolbar. */

import type { EmbedPalette, EmbedTheme } from '../../../sdk/src/embed/index.ts';
import { find, make } from './find.ts';

export interface Look {
  readonly theme: EmbedTheme;
  /** Null for the match's own colours. */
  readonly palette: EmbedPalette | null;
  /** Empty for the browser's. */
  readonly locale: string;
}

/** The initial colours of "Own": those of a sorbet. */
const SORBET: Readonly<Record<string, string>> = {
  background: '#fdf0f3',
  surface: '#ffffff',
  text: '#3a1530',
  primary: '#b3195f',
  accent: '#f2a03d',
  boardLight: '#fff7f9',
  boardDark: '#7a3b74',
  piece1: '#d6336c',
  piece2: '#f2a03d',
  piece3: '#1f8a70',
  piece4: '#3b5bdb',
};
const RADIUS_PX = 22;
const RADIUS_PX_MAX = 32;

/** Renders the switches; `changed` is called for every change. */
export function makeLook(changed: (look: Look) => void): () => Look {
  const look = find('look');
  const language = find<HTMLSelectElement>('language');
  const board = find('palette');
  const inputs = [...Object.entries(SORBET).map(colourInput), radiusInput()];
  board.append(...inputs.map(({ field }) => field));
  const chosen = (): string => look.querySelector<HTMLInputElement>(':checked')!.value;
  const read = (): Look => {
    const theme = chosen();
    const isOwn = theme === 'own';
    return {
      // These colours are designed for the light theme.
      theme: isOwn ? 'light' : (theme as EmbedTheme),
      palette: isOwn ? Object.fromEntries(inputs.map(({ name, value }) => [name, value()])) : null,
      locale: language.value,
    };
  };
  const tell = (): void => {
    board.hidden = chosen() !== 'own';
    document.documentElement.dataset['theme'] = read().theme;
    changed(read());
  };
  for (const each of [look, language, board]) each.addEventListener('input', tell);
  return read;
}

interface PaletteInput {
  readonly name: string;
  readonly field: HTMLElement;
  value(): string;
}

function colourInput([name, colour]: [string, string]): PaletteInput {
  const input = make('input', '');
  input.type = 'color';
  input.value = colour;
  return { name, field: make('label', 'swatch', input, name), value: () => input.value };
}

function radiusInput(): PaletteInput {
  const input = make('input', '');
  input.type = 'range';
  input.max = `${RADIUS_PX_MAX}`;
  input.value = `${RADIUS_PX}`;
  const field = make('label', 'swatch wide', input, 'radius');
  return { name: 'radius', field, value: () => `${input.value}px` };
}
