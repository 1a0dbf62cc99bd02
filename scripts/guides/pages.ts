/** The published pages of docs/: their list, order and names. */

import fs from 'node:fs';
import path from 'node:path';

/** One page: a file of docs/, served under the same path without its ending. */
export interface GuidePage {
  /** Below docs/, without the ending: `guides/quick-start`. */
  readonly name: string;
  readonly group: string;
  readonly title: string;
  /** The first sentence below the title, as Markdown. */
  readonly summary: string;
  readonly markdown: string;
}

interface Group {
  readonly title: string;
  readonly names: readonly string[];
  /** Other files in this folder come after these, by name. */
  readonly folder?: string;
}

const GROUPS: readonly Group[] = [
  {
    title: 'Begin',
    names: ['guides/quick-start', 'guides/sessions', 'guides/keys', 'guides/sdk', 'guides/compare'],
  },
  {
    title: 'Build',
    names: [
      'guides/embedding',
      'guides/matchmaking',
      'guides/bots',
      'guides/webhooks',
      'guides/integrity-setup',
      'guides/device-integrity',
    ],
  },
  {
    title: 'Go live',
    names: [
      'guides/going-live',
      'guides/limits',
      'errors',
      'guides/dashboard',
      'guides/security',
      'guides/fairness',
    ],
    folder: 'guides',
  },
  {
    title: 'Games',
    names: ['guides/first-game', 'guides/own-games', 'guides/adding-a-game', 'guides/boards'],
    folder: 'games',
  },
];

/** `docs` is the folder; a named page that does not exist is an error. */
export function readGuidePages(docs: string): readonly GuidePage[] {
  const named = new Set(GROUPS.flatMap(({ names }) => names));
  return GROUPS.flatMap(({ title, names, folder }) => {
    const others = folder === undefined ? [] : namesIn(docs, folder);
    return [...names, ...others.filter((name) => !named.has(name))].map((name) =>
      makePage(name, title, fs.readFileSync(path.join(docs, `${name}.md`), 'utf8')),
    );
  });
}

function namesIn(docs: string, folder: string): string[] {
  return fs
    .readdirSync(path.join(docs, folder))
    .filter((file) => file.endsWith('.md'))
    .map((file) => `${folder}/${file.slice(0, -'.md'.length)}`)
    .sort();
}

function makePage(name: string, group: string, markdown: string): GuidePage {
  const [, title, rest] = /^# (.+)\n([\s\S]*)/.exec(markdown) ?? [];
  if (title === undefined || rest === undefined) throw new Error(`docs/${name}.md has no title`);
  return { name, group, title, summary: firstSentence(rest), markdown };
}

/** The first prose paragraph; empty where a page begins with something else. */
function firstSentence(text: string): string {
  const paragraph = text.split(/\n{2,}/).find((each) => each.trim() !== '') ?? '';
  if (/^\s*(?:[#|>-]|```|\d+\.)/.test(paragraph)) return '';
  const line = paragraph.trim().replaceAll(/\s*\n\s*/g, ' ');
  const sentence = /^(?:`[^`]*`|[^`])*?[.:](?= |$)/.exec(line)?.[0] ?? line;
  return sentence.replace(/:$/, '.');
}
