/** The keyboard: two layouts by key position, both active at once, so that either hand may lead. */

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
import type { Presses } from '../../presses.ts';

/** A control and its key, by position (`KeyboardEvent.code`). */
export type Layout = readonly (readonly [control: number, code: string])[];

export const LAYOUTS: readonly [Layout, Layout] = [
  [
    [UP, 'KeyW'],
    [LEFT, 'KeyA'],
    [DOWN, 'KeyS'],
    [RIGHT, 'KeyD'],
    [LIGHT, 'KeyJ'],
    [HEAVY, 'KeyK'],
    [SPECIAL, 'KeyL'],
    [THROW, 'KeyI'],
    [DASH, 'Space'],
  ],
  [
    [UP, 'ArrowUp'],
    [LEFT, 'ArrowLeft'],
    [DOWN, 'ArrowDown'],
    [RIGHT, 'ArrowRight'],
    [LIGHT, 'KeyZ'],
    [HEAVY, 'KeyX'],
    [SPECIAL, 'KeyC'],
    [THROW, 'KeyV'],
    [DASH, 'KeyB'],
  ],
];

const CONTROLS: ReadonlyMap<string, number> = new Map(
  LAYOUTS.flatMap((layout) => layout.map(([control, code]) => [code, control] as const)),
);

/** The control of a key; null for any other key. */
export function controlOf(code: string): number | null {
  return CONTROLS.get(code) ?? null;
}

/** Where keys have their usual meaning: fields, menus and dialogs, and Space on a button. */
function isTaken(event: KeyboardEvent): boolean {
  if (event.altKey || event.ctrlKey || event.metaKey) return true;
  const target = event.target instanceof Element ? event.target : null;
  if (target === null) return false;
  if (document.querySelector('dialog[open]') !== null) return true;
  if (target.closest('input, select, textarea, [role="slider"], [contenteditable]')) return true;
  return event.code === 'Space' && target.closest('button, a, summary') !== null;
}

/** Follows the keys while `isOn`. Returns a function that stops it. */
export function followKeyboard(presses: Presses, isOn: () => boolean): () => void {
  const held = new Set<string>();
  const down = (event: KeyboardEvent): void => {
    const control = controlOf(event.code);
    if (control === null || !isOn() || isTaken(event)) return;
    // Space and arrows would scroll the page.
    event.preventDefault();
    if (event.repeat || held.has(event.code)) return;
    held.add(event.code);
    presses.press(event.code, control);
  };
  const up = (event: KeyboardEvent): void => {
    if (held.delete(event.code)) presses.release(event.code);
  };
  const drop = (): void => {
    for (const code of held) presses.release(code);
    held.clear();
  };
  window.addEventListener('keydown', down);
  window.addEventListener('keyup', up);
  window.addEventListener('blur', drop);
  return () => {
    drop();
    window.removeEventListener('keydown', down);
    window.removeEventListener('keyup', up);
    window.removeEventListener('blur', drop);
  };
}
