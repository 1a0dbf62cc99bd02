/** Tests of a tenant's colours: only valid colours are accepted, and text stays readable with any of them. */

import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { contrastOf, mix, parseColour, toContrast } from './colour.ts';
import type { Colours } from './palette.ts';
import { COLOUR_NAMES, makePaint, parsePalette } from './palette.ts';

const SHEET = readFileSync(join(import.meta.dirname, '../../style/theme.css'), 'utf8');

/** The page's own colours, from the CSS rule with that selector. */
function coloursOf(selector: string): Colours {
  const rule = SHEET.slice(SHEET.indexOf(`${selector} {`)).split('}')[0]!;
  const colours = COLOUR_NAMES.map((name) => {
    const property = name.replace(/[A-Z]|\d/g, (part) => `-${part.toLowerCase()}`);
    return [name, new RegExp(`--mp-${property}: (#\\w+);`).exec(rule)![1]!];
  });
  return Object.fromEntries(colours);
}

const LIGHT = coloursOf(':root');
const DARK = coloursOf(':root[data-theme="dark"]');
const DANGER = '#b3261e';
const AMBER = '#8a5300';

/** A seeded generator of numbers from 0 to 1. */
function makeRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

describe('a tenant’s value', () => {
  test('[W6][S1] is a colour of three or six digits and nothing else', () => {
    expect(parseColour('#aBc')).toBe('#aabbcc');
    expect(parseColour('#A1B2C3')).toBe('#a1b2c3');
    const wrong = [
      'red',
      '#ab',
      '#abcd',
      '#aabbccdd',
      'url(https://evil.example/x)',
      '#fff;background:url(//evil.example)',
      'var(--mp-text)',
      '#ggg',
      ' #fff',
      '#fff\n',
      '#fff}',
      0xffffff,
      null,
      ['#fff'],
    ];
    expect(wrong.map(parseColour)).toEqual(wrong.map(() => null));
  });

  test('[WEB][S1] is stored by its name; the rest keeps its default', () => {
    const palette = parsePalette({
      background: '#123',
      text: 'url(x)',
      piece1: null,
      other: '#fff',
      radius: '12px',
    });
    expect(palette).toEqual({ colours: { background: '#112233' }, radiusPx: 12 });
    expect(Object.getPrototypeOf(palette!.colours)).toBe(Object.prototype);
  });

  test('[WEB][S1] may be a length in pixels, up to the largest radius that plates allow', () => {
    const radius = (value: unknown) => parsePalette({ radius: value })?.radiusPx ?? null;
    expect([radius(0), radius(9.5), radius('64px'), radius(64)]).toEqual([0, 9.5, 28, 28]);
    const wrong = [
      -1,
      65,
      '65px',
      1e9,
      Number.NaN,
      '12',
      '1em',
      '12px;',
      'calc(1px)',
      '',
      {},
      null,
      undefined,
    ];
    expect(wrong.map(radius)).toEqual(wrong.map(() => null));
  });

  test('[WEB] that is invalid is ignored', () => {
    for (const junk of [
      null,
      undefined,
      7,
      'x',
      [],
      {},
      { text: 'red' },
      JSON.parse('{"__proto__":{"text":"#fff"}}'),
    ]) {
      expect(parsePalette(junk)).toBeNull();
    }
  });
});

describe('a colour', () => {
  test('[WEB] has the contrast that WCAG defines', () => {
    expect(contrastOf('#000000', '#ffffff')).toBe(21);
    expect(contrastOf('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
    expect(mix('#000000', '#ffffff', 0.25)).toBe('#bfbfbf');
  });

  test('[WEB] is unchanged if it is readable, else adjusted as little as necessary', () => {
    expect(toContrast('#123456', ['#ffffff'], 4.5)).toBe('#123456');
    const grey = toContrast('#999999', ['#ffffff'], 4.5);
    expect(contrastOf(grey, '#ffffff')).toBeGreaterThanOrEqual(4.5);
    expect(contrastOf(grey, '#ffffff')).toBeLessThan(4.8);
    expect(toContrast('#808080', ['#000000', '#ffffff'], 7)).toBe('#000000');
  });
});

/** Foreground, background, and the least contrast. */
function faultsOf(requested: Colours): string[] {
  const paint = makePaint(requested, DANGER, AMBER);
  const pairs = [
    ['text', 'background', 4.5],
    ['text', 'surface', 4.5],
    ['muted', 'background', 4.5],
    ['muted', 'surface', 4.5],
    ['primaryText', 'background', 4.5],
    ['primaryText', 'surface', 4.5],
    ['amber', 'background', 4.5],
    ['amber', 'surface', 4.5],
    ['danger', 'background', 4.5],
    ['danger', 'surface', 4.5],
    ['onPrimary', 'primary', 4.5],
    ['onDanger', 'danger', 4.5],
    ['onBoard', 'boardDark', 4.5],
    ['accent', 'boardDark', 3],
    ['ink1', 'boardLight', 3],
    ['ink2', 'boardLight', 3],
    ['boardDark', 'boardLight', 1.4],
    ['mark1', 'piece1', 1.7],
    ['mark2', 'piece2', 1.7],
  ] as const;
  return pairs
    .filter(([what, on, least]) => contrastOf(paint[what], paint[on]) < least)
    .map(([what, on]) => `${what} on ${on}: ${paint[what]} on ${paint[on]}`);
}

describe('colours of any tenant', () => {
  test('[WEB] the page’s own colours are unchanged', () => {
    expect(makePaint(LIGHT, '#b3261e', '#8a5300')).toMatchObject(LIGHT);
    expect(makePaint(DARK, '#ff8a7a', '#f3bf49')).toMatchObject(DARK);
    expect([...faultsOf(LIGHT), ...faultsOf(DARK)]).toEqual([]);
  });

  test('[W6] are readable: white on white, black on black, a surface against its background', () => {
    const all = (colour: string): Colours =>
      Object.fromEntries(COLOUR_NAMES.map((name) => [name, colour])) as Record<
        keyof Colours,
        string
      >;
    for (const colour of ['#ffffff', '#000000', '#777777', '#ffff00', '#0000ff']) {
      expect(faultsOf(all(colour))).toEqual([]);
    }
    expect(faultsOf({ ...LIGHT, background: '#000000', surface: '#ffffff' })).toEqual([]);
    expect(makePaint({ ...LIGHT, background: '#102030' }, DANGER, AMBER).background).toBe(
      '#102030',
    );
  });

  test('[W6] are readable, whichever they are', () => {
    const seed = Date.now() >>> 0;
    const random = makeRandom(seed);
    const any = (): string =>
      `#${Math.floor(random() * 0x1000000)
        .toString(16)
        .padStart(6, '0')}`;
    for (let round = 0; round < 400; round += 1) {
      const requested = Object.fromEntries(COLOUR_NAMES.map((name) => [name, any()]));
      const faults = faultsOf(requested as unknown as Colours);
      if (faults.length > 0) throw new Error(`seed ${seed}: ${faults.join(', ')}`);
    }
  });
});
