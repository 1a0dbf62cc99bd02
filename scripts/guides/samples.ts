/** Runs the samples of a guide unchanged: shell lines one after another, scripts as one module. */

import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.join(import.meta.dirname, '../..');

/** The samples of one language, without the indentation that a list gives them. */
export function samplesOf(markdown: string, language: string): string[] {
  const blocks = markdown.matchAll(
    new RegExp(`^( *)\`\`\`${language}\\n([\\s\\S]*?)^ *\`\`\``, 'gm'),
  );
  return Array.from(blocks, ([, indent, code]) =>
    code!.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  );
}

/** Placeholders that a guide leaves for its reader to fill in. */
export interface Place {
  readonly url: string;
  readonly testKey: string;
}

/** One line that was run. */
export interface Ran {
  readonly line: string;
  readonly code: number | null;
  readonly said: string;
}

/** A value written as `…` in an `export` is taken from earlier responses; so is a room's code. */
export async function runShellSamples(markdown: string, place: Place): Promise<readonly Ran[]> {
  const all: Ran[] = [];
  const known: Record<string, string> = {};
  for (const command of samplesOf(markdown, 'sh').flatMap(commandsOf)) {
    const [, name, value] = /^export (\w+)=(\S+)$/.exec(command) ?? [];
    if (name !== undefined) {
      known[name] = openValue(name, value!, place, all);
      continue;
    }
    const line = command
      .replaceAll('http://127.0.0.1:4000', place.url)
      .replaceAll('mk_test_…', place.testKey);
    all.push(await runLine(line, known));
  }
  return all;
}

/**
 * A line that ends with a backslash or within quotes continues; lines that fetch the project are
 * left to another test.
 */
function commandsOf(block: string): string[] {
  const commands: string[] = [];
  let open = '';
  for (const line of block.split('\n')) {
    open = open === '' ? line : `${open}\n${line}`;
    const isOpen = line.endsWith('\\') || (open.match(/'/g)?.length ?? 0) % 2 === 1;
    if (isOpen) continue;
    if (open.trim() !== '' && !/^(?:git|cd|npm) /.test(open)) commands.push(open);
    open = '';
  }
  return commands;
}

function openValue(name: string, value: string, place: Place, before: readonly Ran[]): string {
  if (name === 'MATCHD_URL') return place.url;
  if (name === 'MATCHD_KEY') return place.testKey;
  const wanted =
    name === 'ROOM_CODE' ? /"roomCode":"(\w+)"/ : new RegExp(`"(${value.replace('…', '\\w+')})"`);
  const found = before.map(({ said }) => wanted.exec(said)?.[1]).findLast(Boolean);
  if (found === undefined) throw new Error(`No answer before tells ${name}`);
  return found;
}

function runLine(line: string, known: Readonly<Record<string, string>>): Promise<Ran> {
  const script = `curl() { command curl --fail-with-body "$@"; }\n${line}`;
  const env = { ...process.env, ...known };
  const child = spawn('bash', ['-c', script], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  const hear = (chunk: Buffer): void => {
    said += String(chunk);
  };
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  return new Promise((resolve) => child.on('close', (code) => resolve({ line, code, said })));
}

/** All scripts of a guide as one module, with the SDK of the checkout. */
export async function loadScripts<Exports>(markdown: string, folder: string): Promise<Exports> {
  const file = path.join(folder, `${Bun.hash(markdown)}.mjs`);
  const sdk = JSON.stringify(path.join(ROOT, 'sdk/src/server/index.ts'));
  writeFileSync(file, samplesOf(markdown, 'js').join('\n').replaceAll("'@matchd/sdk'", sdk));
  return (await import(file)) as Exports;
}
