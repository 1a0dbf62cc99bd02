/** A test's own folders, removed with it. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new empty folder. */
export function makeTempFolder(): string {
  return mkdtempSync(join(tmpdir(), 'matchd-test-'));
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}
