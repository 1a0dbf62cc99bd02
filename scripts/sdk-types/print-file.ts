/** A generated file: its header, its imports, its parts. */

/** Where the types are that several generated files need. */
const HOMES: Readonly<Record<string, string>> = {
  AnyEvent: './api.ts',
  Replay: './api.ts',
  Result: './api.ts',
  Series: './api.ts',
  Game: './games.ts',
};

export function printFile(what: string, parts: readonly string[]): string {
  const text = parts.join('\n');
  const imports = Object.entries(HOMES)
    .filter(([name]) => new RegExp(`[ (<]${name}\\b(?! =| \\{)`).test(text))
    .filter(([name]) => !new RegExp(`export (?:type|interface) ${name}\\b`).test(text))
    .map(([name, home]) => `import type { ${name} } from '${home}';\n`)
    .join('');
  const head = `/** ${what} Made by scripts/generate.ts: not to be changed by hand. */\n// @table\n`;
  return [head, imports, text].filter((part) => part !== '').join('\n');
}

export function printUnion(name: string, members: readonly string[]): string {
  return `export type ${name} =\n${members.map((each) => `  | ${each}`).join('\n')};\n`;
}
