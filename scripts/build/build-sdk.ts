/** Builds and packs the SDK: `bun scripts/build/build-sdk.ts [--aim BYTES]`, see `build-package.ts`. */

import { buildPackage } from './build-package.ts';

await buildPackage({
  folder: 'sdk',
  entrances: [
    { name: 'index', source: 'src/server/index.ts', aim: 8_000 },
    // 400 of them for commands on an outdated position, sessions never shown and a clock of its own
    // (P4, P8), 150 for simultaneous moves, scores and games by ticks of any kind.
    { name: 'client', source: 'src/client/index.ts', aim: 8_400 },
    { name: 'embed', source: 'src/embed/index.ts', aim: 3_000 },
  ],
});
