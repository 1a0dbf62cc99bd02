/** What the package adds to a game's bundle on the page: its own part, without the search and SHA-256. */

import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const EXAMPLES = join(import.meta.dirname, '../../examples/games');
/** Compressed, including the rules. Bytes. */
const RULES_MAX = 4_500;

async function bundle(name: string): Promise<string> {
  const built = await Bun.build({
    entrypoints: [join(EXAMPLES, name, 'rules.ts')],
    target: 'browser',
    minify: true,
    plugins: [
      {
        name: 'the package by its name',
        setup(build) {
          build.onResolve({ filter: /^@matchd\/game$/ }, () => ({
            path: join(import.meta.dirname, 'index.ts'),
          }));
        },
      },
    ],
  });
  expect(built.success).toBe(true);
  return built.outputs[0]!.text();
}

/** The first round constant of SHA-256, as minifiers may spell it. */
const SHA_256 = /1116352408|0x428a2f98/i;

test.each(['reversi', 'crazy-eights', 'rps-tournament'])(
  '[G-OWN] the rules of %s are bundled without the search bot and SHA-256',
  async (name) => {
    const text = await bundle(name);
    expect(gzipSync(text, { level: 9 }).length).toBeLessThan(RULES_MAX);
    expect(text).not.toMatch(SHA_256);
  },
);

test('[G-OWN] rules that hash their states are bundled with SHA-256', async () => {
  expect(await bundle('pong')).toMatch(SHA_256);
});
