/** Tests of moving tokens that are updated on their way, on a minimal document. */

import { afterEach, beforeEach, expect, test } from 'bun:test';
import { makeTokens } from './tokens.ts';

const globals = ['document', 'matchMedia'] as const;
const before = globals.map((name) => Object.getOwnPropertyDescriptor(globalThis, name));
const put = (name: string, value: unknown): void => {
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
};

function makeElement() {
  const classes = new Set<string>();
  return {
    style: { setProperty() {} },
    classList: {
      add: (name: string) => classes.add(name),
      remove(...names: string[]) {
        for (const name of names) classes.delete(name);
      },
      contains: (name: string) => classes.has(name),
    },
    setAttribute() {},
    append() {},
  };
}

beforeEach(() => {
  put('document', { createElementNS: makeElement });
  put('matchMedia', () => ({ matches: false }));
});
afterEach(() => {
  for (const [index, name] of globals.entries()) {
    const old = before[index];
    if (old === undefined) Reflect.deleteProperty(globalThis, name);
    else Object.defineProperty(globalThis, name, old);
  }
});

/** A thousandth of the real durations. */
const pace = (): number => 1_000;

test('[W6] tokens of one seat on one square are a stack with their number', () => {
  const tokens = makeTokens({ seats: 2, nearest: 0 }, pace);
  const counts = () =>
    tokens.pieces.map(({ cell, count }) =>
      cell.classList.contains('is-stacked') ? count.textContent : '',
    );
  const spots = () => tokens.pieces.map(({ cell }) => cell.style.transform);
  tokens.place([
    ['track 8', 'track 8', 'track 8', 'yard'],
    ['track 8', 'done', 'done', 'home 2'],
  ]);
  expect(counts()).toEqual(['', '', '3', '', '', '', '', '']);
  // None exactly covers another.
  expect(new Set(spots()).size).toBe(8);
  // Tokens of two seats on one square are smaller; a stack of one seat only is as large as a token.
  expect(spots()[0]).toContain('scale(0.6)');
  tokens.place([
    ['home 2', 'home 2', 'yard', 'yard'],
    ['home 2', 'home 2', 'yard', 'yard'],
  ]);
  expect(counts()).toEqual(['', '2', '', '', '', '2', '', '']);
  expect(spots()[0]).toContain('scale(1)');
});

test('[W6] a stack of any size fits into its square', () => {
  const tokens = makeTokens({ seats: 2, nearest: 0 }, pace);
  for (let count = 2; count <= 4; count += 1) {
    const places = Array.from({ length: 4 }, (_, n) => (n < count ? 'track 8' : 'yard'));
    tokens.place([places, ['yard', 'yard', 'yard', 'yard']]);
    const xs = tokens.pieces.slice(0, count).map(({ cell }) => {
      const [, x] = /translate\(([\d.]+)px/.exec(cell.style.transform)!;
      return Number(x);
    });
    // A token of 31 units with its edge fits into a square of 40, its shadow included.
    expect(Math.max(...xs) - Math.min(...xs)).toBeCloseTo(4.8, 6);
    expect(new Set(xs).size).toBe(count);
  }
});

test('[W6] tokens are where they were last placed, even if they were hopping or returning at that moment', async () => {
  const tokens = makeTokens({ seats: 2, nearest: 0 }, pace);
  const places = [
    ['track 7', 'track 20', 'done', 'yard'],
    ['track 7', 'home 3', 'yard', 'yard'],
  ];
  const rest = makeTokens({ seats: 2, nearest: 0 }, pace);
  rest.place(places);
  const looks = ({ pieces }: typeof tokens) =>
    pieces.map(({ cell }) => [cell.style.transform, cell.classList.contains('is-hopping')]);
  let hopCount = 0;
  const hops = [
    tokens.hop(0, 0, ['track 4', 'track 5', 'track 6'], () => (hopCount += 1)),
    tokens.hop(1, 1, ['home 1', 'home 2', 'home 3'], () => (hopCount += 1)),
  ];
  const gone = tokens.back(0, 1);
  tokens.place(places);
  expect(looks(tokens)).toEqual(looks(rest));
  expect(await Promise.all(hops)).toEqual([false, false]);
  await gone;
  expect(looks(tokens)).toEqual(looks(rest));
  expect(hopCount).toBe(0);
  // Without an update in between it goes the whole way.
  expect(await tokens.hop(0, 0, ['track 8', 'track 9'], () => (hopCount += 1))).toBe(true);
  expect(hopCount).toBe(2);
});
