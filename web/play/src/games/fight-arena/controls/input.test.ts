/** Tests of keyboard, gamepads and touch: the held input, and that no press is lost. */

import { describe, expect, test } from 'bun:test';
import {
  CONTROLS,
  DASH,
  DOWN,
  LEFT,
  LIGHT,
  RIGHT,
  SPECIAL,
  UP,
} from '../../../../../../src/games/fight-arena/controls.ts';
import { en } from '../../../i18n/en.ts';
import { makeTranslate } from '../../../i18n/translate.ts';
import { makePresses } from '../../presses.ts';
import { maskOfPad, readPads } from './gamepad.ts';
import { keyName } from './key-help.ts';
import { controlOf, LAYOUTS } from './keyboard.ts';
import { maskOfStick } from './touch.ts';

describe('presses', () => {
  test('[WEB] of several sources are combined', () => {
    const presses = makePresses();
    presses.press('KeyD', RIGHT);
    presses.hold('stick', RIGHT | DOWN);
    presses.settle();
    expect(presses.mask).toBe(RIGHT | DOWN);
    presses.release('stick');
    expect(presses.mask).toBe(RIGHT);
    presses.release('KeyD');
    expect(presses.mask).toBe(0);
  });

  test('[WEB] that end before the next tick count in it, once', () => {
    const presses = makePresses();
    presses.press('KeyJ', LIGHT);
    presses.release('KeyJ');
    expect(presses.mask).toBe(LIGHT);
    expect(presses.mask).toBe(LIGHT);
    presses.settle();
    expect(presses.mask).toBe(0);
  });

  test('[WEB] of a gamepad count when a button goes down, not while it stays down', () => {
    const presses = makePresses();
    presses.hold('pad0', LIGHT);
    presses.hold('pad0', 0);
    expect(presses.mask).toBe(LIGHT);
    presses.settle();
    presses.hold('pad0', LIGHT);
    presses.settle();
    expect(presses.mask).toBe(LIGHT);
  });
});

describe('keys', () => {
  test('[WEB] each layout has every control, and no key has two', () => {
    for (const layout of LAYOUTS) {
      const controls = layout.map(([control]) => control).sort((a, b) => a - b);
      expect(controls).toEqual(Object.values(CONTROLS).sort((a, b) => a - b));
    }
    const codes = LAYOUTS.flatMap((layout) => layout.map(([, code]) => code));
    expect(new Set(codes).size).toBe(codes.length);
    expect(controlOf('Space')).toBe(DASH);
    expect(controlOf('Escape')).toBeNull();
    expect(controlOf('Tab')).toBeNull();
  });

  test('[WEB] have their names on this keyboard', () => {
    const t = makeTranslate('en', en);
    const german = new Map([['KeyZ', 'y']]);
    expect(keyName('KeyZ', german, t)).toBe('Y');
    expect(keyName('KeyZ', new Map(), t)).toBe('Z');
    expect(keyName('ArrowUp', new Map(), t)).toBe('↑');
    expect(keyName('Space', german, t)).toBe('Space');
  });
});

test('[WEB] a gamepad with the standard mapping: stick, cross and buttons', () => {
  const pad = (axes: readonly number[], ...pressed: number[]): number =>
    maskOfPad({
      axes,
      buttons: Array.from({ length: 17 }, (_, n) => ({ pressed: pressed.includes(n) })),
    } as unknown as Gamepad);
  expect(pad([0.1, -0.2])).toBe(0);
  expect(pad([-0.9, 0.7])).toBe(LEFT | DOWN);
  expect(pad([0, 0], 0, 15)).toBe(LIGHT | RIGHT);
  expect(pad([0, -1], 2)).toBe(UP | SPECIAL);
  expect(maskOfPad({ axes: [], buttons: [] } as unknown as Gamepad)).toBe(0);
});

test('[WEB] an unplugged gamepad holds nothing', () => {
  const presses = makePresses();
  const pad = { index: 0, connected: true, axes: [1, 0], buttons: [] };
  // Browsers leave a gap in the list or shorten it.
  for (const without of [[null, null, null, null], []]) {
    let pads: readonly unknown[] = [pad, null, null, null];
    Object.defineProperty(navigator, 'getGamepads', { configurable: true, value: () => pads });
    readPads(presses);
    presses.settle();
    expect(presses.mask).toBe(RIGHT);
    pads = without;
    readPads(presses);
    expect(presses.mask).toBe(0);
  }
});

test('[WEB] a stick has eight directions and a dead zone', () => {
  expect(maskOfStick(0.1, -0.2)).toBe(0);
  expect(maskOfStick(0.9, 0.1)).toBe(RIGHT);
  expect(maskOfStick(-0.6, 0.6)).toBe(LEFT | DOWN);
  expect(maskOfStick(0, -0.9)).toBe(UP);
  expect(maskOfStick(0.7, -0.7)).toBe(RIGHT | UP);
});
