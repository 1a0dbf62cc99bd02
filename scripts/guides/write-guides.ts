/** Writes the pages of docs/ into the built site: each as HTML in the template's frame, and as Markdown. */

import fs from 'node:fs';
import path from 'node:path';
import { makeLlmsText } from './llms.ts';
import type { GuidePage } from './pages.ts';
import { readGuidePages } from './pages.ts';
import type { Heading } from './render.ts';
import { handOut, renderPage } from './render.ts';

/** The built template, which is not a page itself. */
const TEMPLATE = 'guide.html';

/** `docs` is the folder of the pages, `dist` the build folder of web/docs. */
export function writeGuides(docs: string, dist: string): void {
  const template = fs.readFileSync(path.join(dist, TEMPLATE), 'utf8');
  fs.rmSync(path.join(dist, TEMPLATE));
  const pages = readGuidePages(docs);
  const names = new Set(pages.map(({ name }) => name));
  const write = (file: string, text: string): void => {
    fs.mkdirSync(path.dirname(path.join(dist, file)), { recursive: true });
    fs.writeFileSync(path.join(dist, file), text);
  };
  for (const page of pages) {
    const { html, headings } = renderPage(page.markdown, page.name, names);
    write(
      `${page.name}.html`,
      fill(template, page.title, makeContents(pages, page, headings), html),
    );
    write(`${page.name}.md`, handOut(page.markdown, page.name, names));
  }
  write(
    'guides/index.html',
    fill(template, 'Guides', makeContents(pages), makeIndex(pages, names)),
  );
  write('llms.txt', makeLlmsText(pages));
}

function fill(template: string, title: string, contents: string, main: string): string {
  const parts: Readonly<Record<string, string>> = {
    title: escapeHtml(title.replaceAll('`', '')),
    contents,
    main,
  };
  return template.replace(/\{\{(\w+)\}\}/g, (_, part: string) => parts[part]!);
}

/** All pages by group; below the current one its sections. */
function makeContents(
  pages: readonly GuidePage[],
  shown?: GuidePage,
  headings: readonly Heading[] = [],
): string {
  const sections = headings
    .filter(({ level }) => level === 2)
    .map(({ id, html }) => `<li><a href="#${id}">${html.replace(/<\/?a\b[^>]*>/g, '')}</a></li>`);
  const entries = ({ name, title }: GuidePage): string =>
    name === shown?.name
      ? `<li><a href="/docs/${name}" aria-current="page">${inline(title)}</a>${
          sections.length === 0 ? '' : `<ul class="sections">${sections.join('')}</ul>`
        }</li>`
      : `<li><a href="/docs/${name}">${inline(title)}</a></li>`;
  return byGroup(pages, (group, of) => {
    const list = `<ul>${of.map(entries).join('')}</ul>`;
    return `<div class="nav-chapter"><h2 class="nav-title">${escapeHtml(group)}</h2>${list}</div>`;
  });
}

function makeIndex(pages: readonly GuidePage[], names: ReadonlySet<string>): string {
  const list = byGroup(pages, (group, of) => {
    const lines = of.map(
      ({ name, title, summary }) =>
        `- [${title}](../${name}.md)${summary === '' ? '' : `: ${summary}`}`,
    );
    return `## ${group}\n\n${lines.join('\n')}\n\n`;
  });
  return renderPage(`# Guides\n\n${list}`, 'guides/index', names).html;
}

function byGroup(
  pages: readonly GuidePage[],
  make: (group: string, pages: readonly GuidePage[]) => string,
): string {
  const groups = Map.groupBy(pages, ({ group }) => group);
  return Array.from(groups, ([group, of]) => make(group, of)).join('');
}

/** A title, in which text between backticks is code. */
const inline = (title: string): string =>
  escapeHtml(title).replace(/`([^`]*)`/g, '<code>$1</code>');

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
