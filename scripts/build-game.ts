/** Builds and packs `@matchd/game`: `bun scripts/build-game.ts [--aim BYTES]`, see `build-package.ts`. */

import { buildPackage } from './build-package.ts';

await buildPackage({
  folder: 'game',
  entrances: [
    { name: 'index', source: 'src/index.ts', aim: 8_000 },
    // Most of it is fast-check.
    { name: 'testing', source: 'src/testing/index.ts', aim: 75_000 },
  ],
});
