/** The service's own copy of `@matchd/game`, which all games are bundled with. */

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Bundle } from '../../platform/bundler.ts';

/** In the executable it is bundled already: see scripts/build-executable.ts. */
const PACKAGE = new URL('../../../game/src/index.ts', import.meta.url);

export const PACKAGE_NAME = '@matchd/game';

/** The package as one module's text. */
export async function packageText(bundle: Bundle): Promise<string> {
  const file = PACKAGE instanceof URL ? fileURLToPath(PACKAGE) : String(PACKAGE);
  if (!file.endsWith('.ts')) return readFileSync(file, 'utf8');
  const made = await bundle({ entry: file, root: path.dirname(file), provided: {} });
  if (!made.ok) throw new Error(`${PACKAGE_NAME} cannot be bundled: ${made.errors.join('; ')}`);
  return made.text;
}
