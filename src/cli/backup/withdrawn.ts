/**
 * The list beside backups of later erasures and revocations (rule R2): data that an older backup
 * must not bring back.
 */

import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { replaceFile } from '../../runtime/whole-file.ts';
import type { Withdrawal } from '../../store/shared/withdrawal.ts';

/**
 * It is in the folder of the backups, and from the first restore on also in the data folder: a
 * restored database does not know what the replaced one knew. It contains no names.
 */
const WITHDRAWN_FILE = 'matchd-withdrawn.jsonl';

/** The list that lies beside a backup, or a database. */
export function withdrawnFile(database: string): string {
  return path.join(path.dirname(database), WITHDRAWN_FILE);
}

/** Nothing for a missing file; throws, naming the line, for a file that is not such a list. */
export function readWithdrawn(file: string): readonly Withdrawal[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.flatMap((line, i) => {
    if (line === '') return [];
    const found = parseLine(line);
    if (found === null) throw new Error(`${file} line ${i + 1} is not an erasure or revocation`);
    return [found];
  });
}

function parseLine(line: string): Withdrawal | null {
  try {
    const { kind, id, at } = JSON.parse(line) as Withdrawal;
    const isKind = kind === 'player' || kind === 'key' || kind === 'secret';
    return isKind && typeof id === 'string' && Number.isSafeInteger(at) ? { kind, id, at } : null;
  } catch {
    return null;
  }
}

/** Each thing once, with the earliest time. */
export function mergeWithdrawn(
  ...lists: readonly (readonly Withdrawal[])[]
): readonly Withdrawal[] {
  const merged = new Map<string, Withdrawal>();
  for (const each of lists.flat()) {
    const name = `${each.kind} ${each.id}`;
    const known = merged.get(name);
    if (known === undefined || each.at < known.at) merged.set(name, each);
  }
  return [...merged.values()];
}

export function writeWithdrawn(file: string, list: readonly Withdrawal[]): void {
  replaceFile(file, list.map((each) => `${JSON.stringify(each)}\n`).join(''));
}
