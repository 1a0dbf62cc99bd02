/** The texts that the document checks read: every file that is tracked by git, by its path. */

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

export const ROOT = path.join(import.meta.dirname, '../..');

/** A tracked file and its text. */
export interface TextFile {
  readonly path: string;
  readonly text: string;
}

const LIST_BYTES_MAX = 16 * 1024 * 1024;
const TEXTS = /\.(?:md|[cm]?[jt]sx?|py|ya?ml|html|css|json|txt)$|(?:^|\/)Dockerfile$/;

/** Paths in git's index and new files that git does not ignore. */
export function listFiles(root: string): readonly string[] {
  const asked = spawnSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: LIST_BYTES_MAX,
  });
  if (asked.status !== 0) throw new Error(`git ls-files: ${asked.stderr}`);
  return asked.stdout.split('\0').filter((file) => file !== '');
}

/** Files that are deleted in the folder but still in the index are left out. */
export function readTexts(root: string): readonly TextFile[] {
  return listFiles(root)
    .filter((file) => TEXTS.test(file))
    .flatMap((file) => {
      try {
        return [{ path: file, text: readFileSync(path.join(root, file), 'utf8') }];
      } catch {
        return [];
      }
    });
}

/** Markdown without its fenced samples and inline code; lines keep their numbers. */
export function proseOf(markdown: string): string {
  return markdown
    .replace(/^( *)```[\s\S]*?^\1```/gm, (block) => block.replace(/[^\n]/g, ''))
    .replace(/`[^`\n]*`/g, (code) => ' '.repeat(code.length));
}

/** The line, counted from 1, that contains an index of a text. */
export function lineAt(text: string, index: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < index; at = text.indexOf('\n', at + 1)) {
    line += 1;
  }
  return line;
}
