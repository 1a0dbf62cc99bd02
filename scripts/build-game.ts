/** Builds and packs the package that games are written with: `bun scripts/build-game.ts [--aim BYTES]`. */

import { buildPackage } from './build-package.ts';

await buildPackage({
  folder: 'game',
  entrances: [
    { name: 'index', source: 'src/index.ts', aim: 8_000 },
    // Most of it is fast-check.
    { name: 'testing', source: 'src/testing/index.ts', aim: 75_000 },
  ],
});
