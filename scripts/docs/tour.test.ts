/** The tour's line numbers follow the code, and a missing name is reported. */

import { expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { FLOORS } from '../layers/table.ts';
import { ROOT } from './files.ts';
import { drawLayers } from './layers-picture.ts';
import { lineOfDeclaration, renewLines } from './tour.ts';

const SOURCE =
  '/** run() */\nconst a = run();\nexport async function run(): void {}\ninterface Runs {}\n';

test('[DOCS] a link to a declaration gets its line', () => {
  expect(lineOfDeclaration(SOURCE, 'run')).toBe(3);
  expect(lineOfDeclaration(SOURCE, 'Runs')).toBe(4);
  const text = 'See [`run`](src/a.ts#L99), [`walk`](src/a.ts#L1) and [`b`](src/b.ts#L2).';
  const { text: renewed, missing } = renewLines(text, (file) =>
    file === 'src/a.ts' ? SOURCE : null,
  );
  expect(renewed).toBe('See [`run`](src/a.ts#L3), [`walk`](src/a.ts#L1) and [`b`](src/b.ts#L2).');
  expect(missing).toEqual(['src/a.ts does not declare walk', 'src/b.ts does not declare b']);
});

test('[DOCS] every line number of the tour is right, and there are enough of them for a tour', () => {
  const text = readFileSync(path.join(ROOT, 'ARCHITECTURE.md'), 'utf8');
  const read = (file: string): string | null =>
    existsSync(path.join(ROOT, file)) ? readFileSync(path.join(ROOT, file), 'utf8') : null;
  expect(renewLines(text, read)).toEqual({ text, missing: [] });
  expect(text.match(/#L\d+\)/g)!.length).toBeGreaterThan(30);
});

test('[DOCS] the picture shows each folder of the table once and is up to date', () => {
  const picture = drawLayers();
  for (const { path: floor } of FLOORS.filter(({ path: name }) => !name.endsWith('.ts'))) {
    expect(picture.split(`<title>${floor} may import`).length - 1).toBe(1);
  }
  expect(readFileSync(path.join(ROOT, 'docs/layers.svg'), 'utf8')).toBe(picture);
});
