/**
 * Loaded before the tests of a complete run: the writer's thread of SQLite starts from one built
 * file. Hundreds of stores are opened, and each thread would load the 140 sources again.
 */

import { readFileSync } from 'node:fs';
import { plugin } from 'bun';

const HERE = "new URL('./writer.ts', import.meta.url)";

const built = process.env['MATCHD_TEST_WRITER'];
if (built !== undefined) {
  plugin({
    name: 'threads',
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]sqlite[\\/]writer[\\/]group-commit\.ts$/ }, ({ path }) => {
        const parts = readFileSync(path, 'utf8').split(HERE);
        if (parts.length !== 2) throw new Error(`${path} does not say ${HERE} exactly once`);
        return { contents: parts.join(JSON.stringify(built)), loader: 'ts' };
      });
    },
  });
}
