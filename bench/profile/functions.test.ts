/** From samples to shares of functions and files. */

import { expect, test } from 'bun:test';
import { join } from 'node:path';
import type { Slice } from './functions.ts';
import { profileOf } from './functions.ts';

const ROOT = join(import.meta.dir, '../..');
const START_MS = 1_000;

/** main → place (src/a.ts) → stringify (runtime) → toJSON (runtime); and the agent's own. */
const nodes: Slice['nodes'] = [
  { id: 1, callFrame: frame('(root)', ''), children: [2, 5] },
  { id: 2, callFrame: frame('place', 'src/a.ts', 6), children: [3] },
  { id: 3, callFrame: frame('stringify', ''), children: [4] },
  { id: 4, callFrame: frame('toJSON', '') },
  { id: 5, callFrame: frame('writeSlice', 'bench/profile/agent.ts'), children: [6] },
  { id: 6, callFrame: frame('writeFileSync', '') },
];

function frame(functionName: string, file: string, lineNumber = 0) {
  const url = file === '' ? '' : `file://${join(ROOT, file)}`;
  return { functionName, url, lineNumber };
}

/** A sample every millisecond. */
function slice(samples: readonly number[]): Slice {
  return { nodes, samples, timeDeltas: samples.map(() => 1_000), startTime: START_MS * 1_000 };
}

test('[BENCH] samples are counted for the function itself, the runtime’s with the file that calls them', () => {
  const { samples, functions, files } = profileOf(
    [slice([2, 3, 4, 4])],
    [{ fromMs: START_MS, toMs: START_MS + 10 }],
  );
  expect(samples).toBe(4);
  expect(functions).toEqual([
    { name: 'toJSON from src/a.ts', share: 0.5 },
    { name: 'place src/a.ts:7', share: 0.25 },
    { name: 'stringify from src/a.ts', share: 0.25 },
  ]);
  expect(files).toEqual([
    { name: '(runtime)', share: 0.75 },
    { name: 'src/a.ts', share: 0.25 },
  ]);
});

test('[BENCH] samples outside the spans, and the agent’s own, are not counted', () => {
  const spans = [
    { fromMs: START_MS + 1.5, toMs: START_MS + 3.5 },
    { fromMs: START_MS + 4.5, toMs: START_MS + 6.5 },
  ];
  const { samples, functions } = profileOf([slice([2, 3, 4, 2, 6, 5, 2])], spans);
  expect(samples).toBe(2);
  expect(functions.map(({ name }) => name)).toEqual([
    'stringify from src/a.ts',
    'toJSON from src/a.ts',
  ]);
});
