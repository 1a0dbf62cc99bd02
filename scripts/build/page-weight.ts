/** The size of a built page, compressed: at first, and with any one part that it loads later. */

import fs from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

/** Bytes compressed. */
export interface PageWeight {
  /** The document, and everything that it and its scripts request at once. */
  readonly first: number;
  /** The same with the heaviest of the parts that are loaded when needed. */
  readonly most: number;
  readonly all: number;
}

const ASKED = /(?:src|href)="([^"]+\.(?:js|css))"/g;
const IMPORTED = /(?:\bfrom|\bimport)\s*"([^"]+\.js)"/g;
const IMPORTED_LATER = /\bimport\(\s*"([^"]+\.js)"\s*\)/g;

/** `dist` holds `index.html` and `assets/`. */
export function weighPage(dist: string): PageWeight {
  const files = new Map<string, Buffer>([['index.html', read(path.join(dist, 'index.html'))]]);
  const assets = path.join(dist, 'assets');
  for (const name of fs.existsSync(assets) ? fs.readdirSync(assets) : []) {
    files.set(name, read(path.join(assets, name)));
  }
  const weigh = (names: Iterable<string>): number =>
    Array.from(names, (name) => gzipSync(files.get(name)!, { level: 9 }).length).reduce(sum, 0);
  const linksOf = (name: string, link: RegExp): string[] =>
    Array.from(files.get(name)!.toString().matchAll(link), ([, to]) => path.basename(to!)).filter(
      (to) => files.has(to),
    );
  /** These files, and everything that they request at once. */
  const closure = (names: readonly string[]): Set<string> => {
    const found = new Set(names);
    for (const name of found) for (const to of linksOf(name, IMPORTED)) found.add(to);
    return found;
  };
  const first = closure(['index.html', ...linksOf('index.html', ASKED)]);
  const later = [...first].flatMap((name) => linksOf(name, IMPORTED_LATER));
  const most = later.map((name) => weigh(closure([...first, name])));
  return { first: weigh(first), most: Math.max(weigh(first), ...most), all: weigh(files.keys()) };
}

const read = (file: string): Buffer => fs.readFileSync(file);

const sum = (a: number, b: number): number => a + b;
