/** Prose out of Markdown and sources, in sentences and words. */

/** Markdown without samples, tables, link targets and marks: the readable text. */
export function proseOfMarkdown(markdown: string): string {
  return markdown
    .replace(/^( *)```[\s\S]*?^\1```/gm, '\n\n')
    .replace(/^ *\|.*$/gm, '\n')
    .replace(/^#+ .*$/gm, '\n\n')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^ *(?:[-*]|\d+\.) +/gm, '\n\n')
    .replace(/\*\*|__/g, '');
}

/** Sentences end with a full stop, question or exclamation mark before a space, or with their paragraph. */
export function sentencesOf(prose: string): readonly string[] {
  return prose
    .split(/\n\s*\n/)
    .flatMap((paragraph) =>
      paragraph.replace(/\s+/g, ' ').split(/(?<=[.!?][)"'`]*) (?=[A-Z`"'(<[])/),
    )
    .map((sentence) => sentence.trim())
    .filter((sentence) => wordsOf(sentence).length > 2);
}

/** A sample of code between backticks counts as one word. */
export function wordsOf(text: string): readonly string[] {
  return text
    .replace(/`[^`]*`/g, 'code')
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word));
}
