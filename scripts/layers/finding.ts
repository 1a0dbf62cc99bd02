/** A rule's finding about a file, and the input of every rule. */

import { type Token, tokenize, withoutComments } from './tokens.ts';

export interface SourceFile {
  /** From the project's root, with forward slashes. */
  readonly path: string;
  readonly text: string;
  /** All tokens. */
  readonly tokens: readonly Token[];
  /** The tokens without comments. */
  readonly code: readonly Token[];
}

export interface Finding {
  readonly path: string;
  readonly line: number;
  /** Short name of the rule, the same for every finding of its kind. */
  readonly rule: string;
  readonly message: string;
}

export function makeSourceFile(path: string, text: string): SourceFile {
  const tokens = tokenize(text);
  return { path, text, tokens, code: withoutComments(tokens) };
}

/** In the format of compilers, so that editors can jump there. */
export function printFinding({ path, line, rule, message }: Finding): string {
  return `${path}:${line}  ${rule}: ${message}`;
}
