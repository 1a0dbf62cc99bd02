/** The service's own copy of `@matchd/game`, which all games are bundled with. */

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Bundle } from '../../platform/bundler.ts';

/** In the executable it is bundled already: see scripts/build/build-executable.ts. */
const PACKAGE = new URL('../../../game/src/index.ts', import.meta.url);

export const PACKAGE_NAME = '@matchd/game';

/** The package as one module's text. */
export function packageText(bundle: Bundle): Promise<string> {
  return moduleText(bundle, PACKAGE);
}

/** A module of the service's own sources with all that it imports, as one text. */
export async function moduleText(bundle: Bundle, place: URL | string): Promise<string> {
  const file = place instanceof URL ? fileURLToPath(place) : place;
  if (!file.endsWith('.ts')) return readFileSync(file, 'utf8');
  const root = path.resolve(path.dirname(file), '../..');
  const made = await bundle({ entry: file, root, provided: {} });
  if (!made.ok) throw new Error(`${file} cannot be bundled: ${made.errors.join('; ')}`);
  return made.text;
}
