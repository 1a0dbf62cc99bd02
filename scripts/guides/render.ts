/** Renders a page of docs/ as HTML: no markup of its own, working links, headings with anchors. */

import path from 'node:path';

export interface Heading {
  readonly level: number;
  readonly id: string;
  /** HTML. */
  readonly html: string;
}

export interface Rendered {
  readonly html: string;
  readonly headings: readonly Heading[];
}

/** Documents beside the pages that the site has under the same path as the project. */
const DOCUMENTS: readonly string[] = ['openapi.json', 'asyncapi.json'];

/**
 * The default address of a service started by `npm start`: pages name their own origin in its
 * place.
 */
const FRESH_START = 'http://127.0.0.1:4000';
/** Not in a proxy setting, and not within an attribute. */
const HERE = /(?<!proxy_pass |=")http:\/\/127\.0\.0\.1:4000/g;
/** A bare address, which the renderer takes for markup. */
const AUTOLINK = /<(https?:\/\/[^>\s]+)>/g;
/** Consecutive samples in several languages are alternatives of one. */
const SIDE_BY_SIDE =
  /<pre><code class="language-sh">(?:(?!<\/pre>)[\s\S])*<\/pre>(?:\s*<pre><code class="language-(?:js|py)">(?:(?!<\/pre>)[\s\S])*<\/pre>)+/g;

/**
 * `name` is the page's, below docs/; `names` are those of all pages. A link to an unpublished
 * document becomes plain text. Source of the anchors: GitHub's, so that the same links work in the
 * project.
 */
export function renderPage(markdown: string, name: string, names: ReadonlySet<string>): Rendered {
  const linked = outsideSamples(markdown, (text) => text.replace(AUTOLINK, '[$1]($1)'));
  const plain = Bun.markdown.html(linked, { noHtmlBlocks: true, noHtmlSpans: true });
  const headings: Heading[] = [];
  let tabs = 0;
  const html = plain
    .replace(/<h([1-6])>([\s\S]*?)<\/h\1>/g, (_, digit: string, inner: string) => {
      const heading = { level: Number(digit), id: freshId(inner, headings), html: inner };
      headings.push(heading);
      return `<h${digit} id="${heading.id}">${inner}</h${digit}>`;
    })
    .replace(/<a href="([^"]*)"[^>]*>([\s\S]*?)<\/a>/g, (_, href: string, inner: string) => {
      const target = targetOf(href, name, names);
      return target === null ? inner : `<a href="${target}">${inner}</a>`;
    })
    .replace(HERE, '<span class="here">$&</span>')
    .replace(SIDE_BY_SIDE, (samples) => {
      tabs += 1;
      return `<div class="tabs" data-id="sample-${tabs}">${samples}</div>`;
    })
    // A heading row without words is dropped.
    .replace(/<th\b([^>]*)><\/th>/g, '<td$1></td>')
    // Wide samples can be scrolled, also by keyboard. Pictures are not published.
    .replaceAll('<pre>', '<pre tabindex="0">')
    .replace(/<img [^>]*>/g, '')
    .replace(/<input [^>]*>/g, '<span aria-hidden="true">☐</span> ');
  return { html, headings };
}

/** The page as published in Markdown: with the links that `renderPage` keeps, and no pictures. */
export function handOut(markdown: string, name: string, names: ReadonlySet<string>): string {
  return outsideSamples(markdown, (part) =>
    part
      .replace(/^!\[[^\]]*\]\([^)]*\)\n+/gm, '')
      .replace(/\[([^\]]+)\]\(([^)\s]+)\)/g, (link, text: string, href: string) =>
        targetOf(href, name, names) === null ? text : link,
      ),
  );
}

/** Changes the text outside of fenced code. */
function outsideSamples(markdown: string, change: (text: string) => string): string {
  return markdown
    .split(/(^```[\s\S]*?^```)/m)
    .map((part) => (part.startsWith('```') ? part : change(part)))
    .join('');
}

/**
 * As GitHub makes it: lower case, spaces to dashes, no punctuation; a number when it is already
 * used.
 */
function freshId(html: string, before: readonly Heading[]): string {
  const text = html.replace(/<[^>]*>|&\w+;/g, '').toLowerCase();
  const base = text.replace(/[^\p{L}\p{N}_ -]/gu, '').replaceAll(' ', '-');
  const isTaken = (id: string): boolean => before.some((heading) => heading.id === id);
  for (let n = 0; ; n++) {
    const id = n === 0 ? base : `${base}-${n}`;
    if (!isTaken(id)) return id;
  }
}

/** The target of a page's link on the site, as an attribute's value; null for none. */
function targetOf(href: string, name: string, names: ReadonlySet<string>): string | null {
  if (/^(?:#|https:\/\/)/.test(href)) return href;
  if (href.startsWith(`${FRESH_START}/`)) return href.slice(FRESH_START.length);
  if (/^[a-z][\w+.-]*:|^\//i.test(href)) return null;
  const [file = '', anchor] = href.split('#');
  const inProject = path.posix.join('docs', path.posix.dirname(name), file);
  if (DOCUMENTS.includes(inProject)) return `/${inProject}`;
  const page = /^docs\/(.+)\.md$/.exec(inProject)?.[1];
  if (page === undefined || !names.has(page)) return null;
  return `/docs/${page}${anchor === undefined ? '' : `#${anchor}`}`;
}
