/** Updates the line numbers of links to declarations in ARCHITECTURE.md, [`name`](file#L1). */

const LINK = /\[`([\w.]+)`\]\(([\w./-]+\.[cm]?tsx?)#L(\d+)\)/g;

const quoteName = (name: string): string => name.replace(/[.$]/g, '\\$&');

/** The line, counted from 1, that declares a name; 0 for none. */
export function lineOfDeclaration(source: string, name: string): number {
  const declared = new RegExp(
    `^\\s*(?:export )?(?:async )?(?:function\\*?|const|interface|type|class) ${quoteName(name)}\\b`,
  );
  return source.split('\n').findIndex((line) => declared.test(line)) + 1;
}

export interface Tour {
  /** The text with current line numbers. */
  readonly text: string;
  /** Names that are declared nowhere in their files. */
  readonly missing: readonly string[];
}

/** `read` returns a file's text, null if it does not exist. */
export function renewLines(text: string, read: (file: string) => string | null): Tour {
  const missing: string[] = [];
  const renewed = text.replaceAll(LINK, (link, name: string, file: string) => {
    const line = lineOfDeclaration(read(file) ?? '', name);
    if (line === 0) missing.push(`${file} does not declare ${name}`);
    return line === 0 ? link : `[\`${name}\`](${file}#L${line})`;
  });
  return { text: renewed, missing };
}
