/** `examples/verify_chance.py` as a command; null without Python. */

import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';

const PROGRAM = path.join(import.meta.dirname, '../../examples/verify_chance.py');

export interface Checked {
  readonly exit: number | null;
  /** Both streams, without the final newline. */
  readonly said: string;
}

export type ChanceVerifier = (document: unknown, ...args: readonly string[]) => Checked;

/** The verifier, which first writes its input into `folder`. `--vectors` goes before the file. */
export function makeChanceVerifier(folder: string): ChanceVerifier | null {
  const python = findPython();
  if (python === null) return null;
  return (document, ...args) => {
    const file = path.join(folder, 'document.json');
    writeFileSync(file, typeof document === 'string' ? document : JSON.stringify(document));
    const [first, ...others] = args;
    const line =
      first === '--vectors' ? [first, file] : [file, ...(first ? [first] : []), ...others];
    const { status, stdout, stderr } = spawnSync(python, [PROGRAM, ...line], { encoding: 'utf8' });
    return { exit: status, said: `${stdout}${stderr}`.trim() };
  };
}

/** The interpreter itself: what is on the path may be a shell script that looks for it at each start. */
function findPython(): string | null {
  const found = Bun.which('python3');
  if (found === null) return null;
  const print = ['-c', 'import sys; print(sys.executable)'];
  return spawnSync(found, print, { encoding: 'utf8' }).stdout.trim() || null;
}
