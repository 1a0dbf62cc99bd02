/** Counts the code of `examples/compare` by capability: `bun scripts/guides/compare.ts` prints the table of compare.md. */

import fs from 'node:fs';
import path from 'node:path';

const SAMPLES = path.join(import.meta.dirname, '../../examples/compare');

/** The servers that are compared, in the order of the page's columns. */
export const SERVERS = ['boardgameio', 'colyseus', 'matchd'] as const;
export type Server = (typeof SERVERS)[number];

/** Capabilities by their name in the samples, and as the page calls them. */
export const PARTS = {
  rules: 'Rules',
  match: 'Match: server, moves, state sync',
  lobby: 'Lobby',
  code: 'Private room by code',
  bot: 'Bot',
  reconnect: 'Reconnect',
  crash: 'Restart after `kill -9`',
  spectators: 'Spectators',
  replay: 'Replay',
  verify: 'Verification',
  time: 'Turn timeout',
  auth: 'Players from your own login',
} as const;
export type Part = keyof typeof PARTS;

export type Counts = Readonly<Record<Part, number>>;

/** Code that tests a sample is not part of it. */
const UNCOUNTED: ReadonlySet<string> = new Set(['play.mjs', 'kill.mjs', 'plain-server.cjs']);
const CODE = /\.[cm]js$/;
const MARK = /^\/\/ \[(\w+)\]/;
const COMMENT = /^(?:\/\/|\/\*|\*)/;
/** Line beginnings that only end the statement before. */
const CLOSING = /^[)\]}]/;

/** Lines of one server's sample, by capability. */
export function countSample(server: Server): Counts {
  const counts = Object.fromEntries(Object.keys(PARTS).map((part) => [part, 0]));
  for (const file of codeOf(path.join(SAMPLES, server))) {
    for (const part of partsOf(fs.readFileSync(file, 'utf8'), file)) counts[part]! += 1;
  }
  return counts as Counts;
}

function codeOf(folder: string): string[] {
  return fs
    .readdirSync(folder, { withFileTypes: true, recursive: true })
    .map(({ parentPath, name }) => path.join(parentPath, name))
    .filter((file) => CODE.test(file) && !UNCOUNTED.has(path.basename(file)))
    .filter((file) => !file.includes('node_modules'))
    .sort();
}

/** A mark and the statement that it applies to. */
interface Marked {
  readonly part: Part;
  readonly depth: number;
  hasBegun: boolean;
}

/**
 * The capability of each line that counts: neither blank nor a comment. `// [part]` on the first line is for the
 * whole file; on a line before a statement it is for that statement, up to the next one at its depth.
 */
export function partsOf(text: string, file: string): readonly Part[] {
  const [head, ...lines] = text.split('\n');
  const whole = readPart(head!.trim(), file);
  if (whole === null) throw new Error(`${file} does not say on its first line what it is for`);
  const parts: Part[] = [];
  let marks: Marked[] = [];
  for (const line of lines) {
    const code = line.trim();
    if (code === '') continue;
    const depth = line.length - line.trimStart().length;
    marks = marks.filter((mark) => !isPast(mark, depth, code));
    const part = readPart(code, file);
    if (part !== null) marks.push({ part, depth, hasBegun: false });
    if (COMMENT.test(code)) continue;
    for (const mark of marks) mark.hasBegun = true;
    parts.push(marks.at(-1)?.part ?? whole);
  }
  return parts;
}

/** Is the marked statement over before this line? */
function isPast({ depth, hasBegun }: Marked, at: number, code: string): boolean {
  return hasBegun && (at < depth || (at === depth && !CLOSING.test(code)));
}

function readPart(code: string, file: string): Part | null {
  const name = MARK.exec(code)?.[1];
  if (name === undefined) return null;
  if (!Object.hasOwn(PARTS, name)) throw new Error(`${file} names a part that is none: ${name}`);
  return name as Part;
}

/** Rows of the page's table of lines, the sum last. */
export function makeRows(): readonly string[] {
  const counts = SERVERS.map(countSample);
  const rows = Object.entries(PARTS).map(([part, title]) => {
    const cells = counts.map((each) => each[part as Part]);
    return `| ${title} | ${cells.join(' | ')} |`;
  });
  const sums = counts.map((each) => Object.values(each).reduce((sum, lines) => sum + lines, 0));
  return [...rows, `| Sum | ${sums.join(' | ')} |`];
}

if (import.meta.main) console.log(makeRows().join('\n'));
