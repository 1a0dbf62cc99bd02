/**
 * Bundles as files, which this process and its threads import: a file has a short name in stack traces, and
 * messages to threads need no copy of it.
 */

import {
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { hashText } from './source-hash.ts';

export type AnyModule = Readonly<Record<string, unknown>>;

export interface ModuleFiles {
  /** Writes the text if it is not there yet; returns the file. `name` appears in stack traces. */
  write(name: string, text: string): string;
}

/** A file that no start has used for this long is removed. Ms. */
const UNUSED_MS = 30 * 24 * 60 * 60 * 1_000;
/** Of the hash in a file's name: enough to tell texts of one name apart. */
const NAME_DIGITS = 16;

/** The files of a folder. Named by content, so that processes can share the folder. */
export function makeModuleFiles(folder: string, now: number): ModuleFiles {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name);
    const usedAt = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? now;
    if (now - usedAt > UNUSED_MS) rmSync(file, { force: true });
  }
  return {
    write(name, text) {
      const hash = hashText(text).slice(0, NAME_DIGITS);
      const file = path.join(folder, `${name}.${hash}.mjs`);
      // Written atomically, because another process may read it.
      const draft = `${file}.${process.pid}`;
      writeFileSync(draft, text, { mode: 0o600 });
      renameSync(draft, file);
      utimesSync(file, now / 1_000, now / 1_000);
      return file;
    },
  };
}

export async function importModule(file: string): Promise<AnyModule> {
  return (await import(pathToFileURL(file).href)) as AnyModule;
}
