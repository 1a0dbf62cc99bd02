/** Colours of what people read: put in wherever they help, taken out where they would not be shown. */

import { stripVTControlCharacters, styleText } from 'node:util';
import { Command } from 'commander';

const STYLES = { title: 'bold', good: 'green', warning: 'yellow', bad: 'red' } as const;
export type Tone = keyof typeof STYLES;

/** With the codes of a terminal, whatever reads it: `forOutput` and `forErrors` take them out again. */
export function paint(tone: Tone, text: string): string {
  return styleText(STYLES[tone], text, { validateStream: false });
}

/** As it is read, without colours. */
export function plain(text: string): string {
  // JSON escapes that character, so the output of an export is not affected.
  return text.includes('\u001b') ? stripVTControlCharacters(text) : text;
}

// Terminals only, unless FORCE_COLOR or NO_COLOR say else: the rule that help is printed by.
const { getOutHasColors, getErrHasColors } = new Command().configureOutput();

/** For standard output. */
export function forOutput(text: string): string {
  return getOutHasColors?.() === true ? text : plain(text);
}

/** For standard error. */
export function forErrors(text: string): string {
  return getErrHasColors?.() === true ? text : plain(text);
}
