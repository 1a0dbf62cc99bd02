/** Links of all Markdown files lead to files and headings; decision numbers lead to records. */

import path from 'node:path';
import { lineAt, proseOf, type TextFile } from './files.ts';

const RECORDS = 'docs/decisions/';

/** A heading as GitHub names its anchor. */
export function anchorOf(heading: string): string {
  return heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');
}

function anchorsOf(markdown: string): Set<string> {
  const seen = new Map<string, number>();
  const code = markdown.replace(/^( *)```[\s\S]*?^\1```/gm, '');
  const anchors = Array.from(code.matchAll(/^#{1,6} +(.*)$/gm), ([, heading]) => {
    const anchor = anchorOf(heading!);
    const n = seen.get(anchor) ?? 0;
    seen.set(anchor, n + 1);
    return n === 0 ? anchor : `${anchor}-${n}`;
  });
  const named = Array.from(code.matchAll(/<a (?:id|name)="([^"]+)"/g), ([, id]) => id!);
  return new Set([...anchors, ...named]);
}

/** `exists` tells whether a path below the root exists; it is called for files and folders. */
export function checkLinks(
  files: readonly TextFile[],
  exists: (file: string) => boolean,
): readonly string[] {
  const markdown = files.filter((file) => file.path.endsWith('.md'));
  const anchors = new Map(markdown.map((file) => [file.path, anchorsOf(file.text)]));
  const faults: string[] = [];
  for (const file of markdown) {
    const prose = proseOf(file.text);
    // A link whose text is code has lost that text, not its target.
    for (const found of prose.matchAll(/\]\(([^)\s]+)\)/g)) {
      const href = found[1]!;
      if (/^(?:[a-z]+:|\/)/.test(href)) continue;
      const [to, anchor] = href.split('#');
      const target =
        to === '' ? file.path : path.posix.normalize(`${path.posix.dirname(file.path)}/${to}`);
      const at = `${file.path}:${lineAt(prose, found.index)}`;
      if (!exists(target)) faults.push(`${at}: ${href} leads nowhere`);
      else if (anchor !== undefined && anchors.get(target)?.has(anchor) === false) {
        faults.push(`${at}: ${target} has no heading for #${anchor}`);
      }
    }
  }
  return faults;
}

/** Numbers of existing records, and of those that the index lists as replaced. */
export function recordNumbers(files: readonly TextFile[]): Set<string> {
  const numbers = files.flatMap((file) => {
    const name = file.path.startsWith(RECORDS) ? file.path.slice(RECORDS.length) : '';
    if (name === 'README.md') {
      return Array.from(file.text.matchAll(/^\| (\d{4}) \|/gm), ([, number]) => number!);
    }
    return /^\d{4}-/.test(name) ? [name.slice(0, 4)] : [];
  });
  return new Set(numbers);
}

/** "decision 0039" anywhere names a record or one that the index lists as replaced. */
export function checkRecordNumbers(files: readonly TextFile[]): readonly string[] {
  const known = recordNumbers(files);
  return files.flatMap((file) =>
    Array.from(file.text.matchAll(/\bdecisions? (0\d{3})(?:(?:,| and) (0\d{3}))?/gi)).flatMap(
      (found) =>
        found
          .slice(1)
          .filter((number) => number !== undefined && !known.has(number))
          .map((number) => `${file.path}:${lineAt(file.text, found.index)}: no record ${number}`),
    ),
  );
}

/** Words of a record at most: a page. */
const RECORD_WORDS_MAX = 560;
/** The headings of a record, in their order. */
const PARTS = ['Context', 'Decision', 'Consequences'] as const;

/** Every record has the usual parts, is at most a page, and is in the index. */
export function checkRecords(files: readonly TextFile[]): readonly string[] {
  const index = files.find((file) => file.path === `${RECORDS}README.md`)?.text ?? '';
  return files.flatMap((file) => {
    const name = file.path.startsWith(RECORDS) ? file.path.slice(RECORDS.length) : '';
    if (!/^\d{4}-.*\.md$/.test(name)) return [];
    const headings = Array.from(file.text.matchAll(/^## (.*)$/gm), ([, heading]) => heading!);
    const found = headings.filter((heading) => (PARTS as readonly string[]).includes(heading));
    const words = file.text.split(/\s+/).length;
    const faults = [
      ...(index.includes(`](${name})`) ? [] : ['is not in the index']),
      ...(found.join() === PARTS.join() ? [] : [`has no parts ${PARTS.join(', ')} in this order`]),
      ...(words <= RECORD_WORDS_MAX ? [] : [`has ${words} words, more than ${RECORD_WORDS_MAX}`]),
    ];
    return faults.map((fault) => `${file.path}: ${fault}`);
  });
}
