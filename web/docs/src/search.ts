/** Finding sections by words: all of them have to stand somewhere in it. */

/** What is searched, by the id of the section. */
export type SearchTexts = ReadonlyMap<string, string>;

/** The sections in which every word of the query stands; all of them for an empty one. */
export function findSections(texts: SearchTexts, query: string): ReadonlySet<string> {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const found = [...texts].filter(([, text]) => words.every((word) => text.includes(word)));
  return new Set(found.map(([id]) => id));
}

/** A text as `findSections` looks at it. */
export function makeSearchText(parts: readonly unknown[]): string {
  return parts
    .map((part) => (typeof part === 'string' ? part : JSON.stringify(part)))
    .join('\n')
    .toLowerCase();
}
