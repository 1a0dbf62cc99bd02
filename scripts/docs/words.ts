/** Words that are not to come back, with what to say instead: in documents, comments, help and the API's prose. */

import { tokenize } from '../layers/tokens.ts';
import { lineAt, proseOf, type TextFile } from './files.ts';

interface Word {
  readonly pattern: RegExp;
  readonly instead: string;
}

const word = (source: string, instead: string): Word => ({
  pattern: new RegExp(`\\b(?:${source})\\b`, 'gi'),
  instead,
});

/** Whole phrases. A new one is replaced everywhere before it is listed. */
export const PHRASES: readonly Word[] = [
  word('he|him|himself|his', 'the player, they, their; "it" for a node, a socket or a store'),
  word('(?:the )?(?:test|live) world of', 'test mode of, live mode of'),
  word('test world|live world', 'test mode, live mode'),
  word('for ever', 'forever, without limit'),
  word('anew', 'again, or a new one'),
  word('tr(?:ied|ies) again', 'retried, retries'),
  word('mend|mends|mended|mending', 'fix, repair'),
  word('in vain', 'without success'),
  word('the other way round', 'conversely'),
  word('lets go of', 'drops, releases'),
  word('bears', 'has, carries'),
  word('shall', 'must, is to'),
  word('comes? again', 'returns, repeats, is sent again'),
  word("of an operator's own", 'of an operator'),
  word('look at a session|look at a bot|look at a player', 'retrieve a session, a bot, a player'),
  word('make a (?:session|ticket|webhook)', 'create a session, a ticket, a webhook'),
  word('redo the match', 'verify the match'),
  word('have events sent', 'create a webhook'),
  word('nobody is told yet', 'no webhooks yet'),
  word('no session fits|nobody whose id', 'no sessions match, no players match'),
  word('of what few are', 'the shares it counts against'),
  word('who spoils a', 'what failed'),
  word('thought better of it', 'cancelled'),
  word('of an own', 'of its own'),
  word('passe[ds] over', 'ignored, skipped'),
  word('held against', 'checked against, compared with'),
  word('looked through', 'searched'),
  word('afresh', 'again, from the start'),
  word('what (?:becomes|became|comes|came) of', 'the result of, what happens to'),
  word('(?:is|are) told of', 'is notified of, receives, reports'),
  word('told apart', 'distinguished'),
  word('who is called so', 'with this id'),
  word('by their age', 'oldest first'),
  word('as it stands there', 'unchanged'),
];

/** Parts of identifiers. */
export const NAME_PARTS: readonly Word[] = [
  word('bereft', 'ownerLost'),
  word('gainsay', 'refuse'),
  word('eased|easing time', 'grantLostTime'),
  word('anewly|remake', 'recreate'),
  word('^tend', 'maintain, manage'),
  word('let go', 'release, drop'),
  word('owed', 'pending, unwritten, undelivered'),
  word('(?:look|tell) (?:anew|again|through)', 'retry, search, read again'),
  word('^asked? mode|^kept (?:row|note|state|session|cursor)', 'requested, stored'),
  word('spoil(?:ed|t)?', 'corrupt, break'),
];

/** Not read: texts generated from others, and historical records of past runs. */
const SKIPPED =
  /^(?:docs\/measurements-history\.md|CHANGELOG\.md|llms\.txt|sdk\/src\/generated\/|scripts\/docs\/words)/;
/** Sources whose strings people read: the command line's, and the English ones of the pages. */
const SHOWN =
  /^(?:src\/cli|web\/(?:dashboard|demo|docs)\/src)\/(?!.*\.test\.)|^web\/play\/src\/i18n\/(?:\w+\/)*en\.ts$/;
/** A test's title begins with the rule that it proves. */
const TITLE = /^\[[A-Z]+[A-Z0-9a-z-]*\]/;

interface Part {
  readonly line: number;
  readonly text: string;
}

/** Lines keep their numbers: comment marks are blanked, not cut out. */
const withoutMarks = (comment: string): string =>
  comment.replace(/^\s*\*\s?/gm, ' ').replace(/\/\*+|\*\/|\/\/+/g, ' ');

function partsOfSource(file: TextFile): readonly Part[] {
  const isShown = SHOWN.test(file.path);
  return tokenize(file.text).flatMap(({ kind, text, line }) => {
    if (kind === 'comment') return [{ line, text: withoutMarks(text) }];
    if (kind !== 'string' && kind !== 'template') return [];
    return TITLE.test(text) || (isShown && !/^\.{0,2}\//.test(text)) ? [{ line, text }] : [];
  });
}

/**
 * Text between tags and expressions. An operator has a space before it, the end of a tag has none.
 */
const JSX_TEXT = /(?<=[\w"'}/]>|\n\s*>|\})[^<>{}=;&|]*\p{L}[^<>{}=;&|]*(?=<[/\p{L}]|\{)/gu;

/** What a component of the pages shows besides its strings. */
function partsOfMarkup(file: TextFile): readonly Part[] {
  if (!/^web\/.*(?<!\.test)\.tsx$/.test(file.path)) return [];
  return Array.from(file.text.matchAll(JSX_TEXT), ({ index, 0: text }) => ({
    line: lineAt(file.text, index),
    text,
  }));
}

/** Summaries and descriptions, by line. */
function partsOfApi(file: TextFile): readonly Part[] {
  return Array.from(file.text.matchAll(/"(?:summary|description)": "((?:[^"\\]|\\.)*)"/g)).map(
    (found) => ({ line: lineAt(file.text, found.index), text: found[1]! }),
  );
}

function partsOf(file: TextFile): readonly Part[] {
  if (/\.md$/.test(file.path)) return [{ line: 1, text: proseOf(file.text) }];
  if (/^(?:open|async)api\.json$/.test(file.path)) return partsOfApi(file);
  if (!/\.(?:[cm]?[jt]sx?)$/.test(file.path)) return [];
  return [...partsOfSource(file), ...partsOfMarkup(file)];
}

/** Code between backticks and messages between quotes are names, not our prose. */
const withoutNames = (text: string): string =>
  text.replace(/`[^`\n]*`/g, (code) => ' '.repeat(code.length));

function checkPhrases(file: TextFile): readonly string[] {
  return partsOf(file).flatMap((part) => {
    const text = withoutNames(part.text);
    return PHRASES.flatMap(({ pattern, instead }) =>
      Array.from(text.replace(/ ?\n ?/g, '\n').matchAll(spaced(pattern)), (found) => {
        const line = part.line + lineAt(text.replace(/ ?\n ?/g, '\n'), found.index) - 1;
        return `${file.path}:${line}: "${found[0].replace(/\s+/g, ' ')}": say ${instead}`;
      }),
    );
  });
}

/** A phrase may continue on the next line. */
const spaced = ({ source, flags }: RegExp): RegExp =>
  new RegExp(source.replace(/ /g, '\\s+'), flags);

function checkNames(file: TextFile): readonly string[] {
  if (!/\.(?:[cm]?[jt]sx?)$/.test(file.path)) return [];
  return tokenize(file.text).flatMap(({ kind, text, line }) => {
    if (kind !== 'word') return [];
    const spelled = text.replace(/([a-z])([A-Z])/g, '$1 $2');
    const found = NAME_PARTS.find(({ pattern }) => spelled.search(pattern) !== -1);
    return found === undefined ? [] : [`${file.path}:${line}: ${text}: say ${found.instead}`];
  });
}

export function checkWords(files: readonly TextFile[]): readonly string[] {
  return files
    .filter(({ path }) => !SKIPPED.test(path))
    .flatMap((file) => [...checkPhrases(file), ...checkNames(file)]);
}
