/** Builds and packs `@matchd/game`: `bun scripts/build-game.ts [--aim BYTES]`, see `build-package.ts`. */

import { buildPackage } from './build-package.ts';

await buildPackage({
  folder: 'game',
  entrances: [
    // Over its aim: SHA-256 is 2.9 kB, the search bot 2.6 kB. A bundler drops both from a game that uses neither
    // (2.4 kB are left), so neither got an entrance of its own.
    { name: 'index', source: 'src/index.ts', aim: 8_000 },
    // Most of it is fast-check.
    { name: 'testing', source: 'src/testing/index.ts', aim: 75_000 },
  ],
});
