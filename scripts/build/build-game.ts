/** Builds and packs `@matchd/game`: `bun scripts/build/build-game.ts [--aim BYTES]`, see `build-package.ts`. */

import { buildPackage } from './build-package.ts';

await buildPackage({
  folder: 'game',
  entrances: [
    // SHA-256 is 2.9 kB of it, the search bot 2.6 kB. A bundler drops both from a game that uses
    // neither (`game/src/weight.test.ts`), so neither has an entry of its own.
    { name: 'index', source: 'src/index.ts', aim: 9_500 },
    // Most of it is fast-check.
    { name: 'testing', source: 'src/testing/index.ts', aim: 75_000 },
  ],
});
