/** The hash that identifies a version of rules: of the sources, so that a newer bundler changes nothing. */

import { createHash } from 'node:crypto';
import path from 'node:path';
import type { BundleSource } from '../../platform/bundler.ts';

/**
 * SHA-256 in hex of what `sha256sum` prints of the sources, sorted by path: a line each, its hash, two spaces,
 * its path from the game's folder. Line ends count as line feeds. A package's path begins at `node_modules/`.
 */
export function hashSources(folder: string, sources: readonly BundleSource[]): string {
  const lines = sources
    .map(({ path: file, text }) => ({ name: nameOf(folder, file), hash: hashText(text) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, hash }) => `${hash}  ${name}\n`);
  return hashText(lines.join(''));
}

/** SHA-256 in hex of a text in UTF-8; line ends count as line feeds, as Git may change them. */
export function hashText(text: string): string {
  return createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex');
}

function nameOf(folder: string, file: string): string {
  const name = path.relative(folder, file).split(path.sep).join('/');
  const inPackage = name.lastIndexOf('node_modules/');
  return inPackage === -1 ? name : name.slice(inPackage);
}
