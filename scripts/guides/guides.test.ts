/** The guides are correct: every error and limit, working links, pages without their own markup. */

import { afterAll, expect, test } from 'bun:test';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DASHBOARD_ERRORS } from '../../src/contract/dashboard-errors.ts';
import { ERRORS } from '../../src/contract/errors.ts';
import { PLANS } from '../../src/tenancy/tenant.ts';
import { makeTempFolder, removeFolder } from '../../src/testing/temp-folder.ts';
import { makeLlmsText } from './llms.ts';
import { readGuidePages } from './pages.ts';
import { handOut, renderPage } from './render.ts';
import { samplesOf } from './samples.ts';
import { writeGuides } from './write-guides.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const DOCS = path.join(ROOT, 'docs');
const pages = readGuidePages(DOCS);
const names = new Set(pages.map(({ name }) => name));
const pageOf = (name: string): string => pages.find((page) => page.name === name)!.markdown;
const folder = makeTempFolder();
afterAll(() => removeFolder(folder));

test('[H2] every code of an error has an anchor, its status and its message, in the order of the contract', () => {
  const text = pageOf('errors');
  const told = Array.from(text.matchAll(/^### `(\w+)`\n\n(\d+) `([^`]*)`\. \S/gm), (found) => [
    ...found.slice(1),
  ]);
  // The tenant's interface first, then the codes of the dashboard only.
  const all = { ...ERRORS, ...DASHBOARD_ERRORS };
  const wanted = Object.entries(all).map(([code, { status, message }]) => [
    code,
    String(status),
    message,
  ]);
  expect(told).toEqual(wanted);
  const { headings } = renderPage(text, 'errors', names);
  const ids = headings.filter(({ level }) => level === 3).map(({ id }) => id);
  expect(ids).toEqual(Object.keys(all));
});

test('[H6] the table of plans is that of the plans', () => {
  const rows = pageOf('guides/limits')
    .split('\n## ')[1]!
    .split('\n')
    .filter((line) => /^\| [a-z]/.test(line))
    .map((line) =>
      line
        .split('|')
        .slice(2, 5)
        .map((cell) => Number(cell.replaceAll(',', ''))),
    );
  const { starter, growth, pro } = PLANS;
  const order = [
    'requestsPerMinute',
    'sessionsPerMonth',
    'openSessions',
    'sockets',
    'openTickets',
    'webhooks',
    'webhookRetries',
    'eventStreams',
    'retentionDays',
  ] as const;
  expect(order.toSorted()).toEqual((Object.keys(starter) as (typeof order)[number][]).sort());
  expect(rows).toEqual(order.map((name) => [starter[name], growth[name], pro[name]] as number[]));
});

test('[WEB] every link between the pages leads to an existing file and heading', () => {
  const ids = new Map(
    pages.map(({ name, markdown }) => [
      name,
      renderPage(markdown, name, names).headings.map(({ id }) => id),
    ]),
  );
  const broken: string[] = [];
  for (const { name, markdown } of pages) {
    const prose = markdown.replace(/```[\s\S]*?```/g, '').replace(/`[^`\n]*`/g, '');
    for (const [, href] of prose.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^https:/.test(href!)) continue;
      const [file, anchor] = href!.split('#');
      const target = file === '' ? name : path.posix.join(path.posix.dirname(name), file!);
      const page = target.replace(/\.md$/, '');
      if (file !== '' && !existsSync(path.join(DOCS, target))) broken.push(`${name}: ${href}`);
      const known = ids.get(page);
      if (anchor !== undefined && known !== undefined && !known.includes(anchor)) {
        broken.push(`${name}: ${href}`);
      }
    }
  }
  expect(broken).toEqual([]);
});

test('[WEB] markup in a page is shown as text, and a link leads only to pages and https', () => {
  const text = [
    '# A <b>b</b> `c_d`',
    '## A <b>b</b> `c_d`',
    '<script>alert(1)</script> <img src=x onerror=alert(1)>',
    '[a](javascript:alert(1)) [b](JaVaScRiPt:x) [c](data:text/html,x) [d](//evil.example)',
    '[e](../ARCHITECTURE.md) [f](guides/../../secret.md) [g](/demo) [h](x" onclick="y)',
    '[i](guides/keys.md#origins) [j](https://a.example/?a="b) [k](#here) [l](../openapi.json)',
    '![m](https://a.example/x.png)',
    '```html\n<script>x</script>\n```',
    '- [ ] n',
  ].join('\n\n');
  const { html, headings } = renderPage(text, 'errors', new Set(['guides/keys']));
  const tags = Array.from(html.matchAll(/<([a-z]\w*)((?:\s+[\w-]+="[^"]*")*)\s*\/?>/g));
  const allowed = /^(?:h[1-6]|p|a|pre|code|ul|ol|li|span|strong|em|table|thead|tbody|tr|th|td)$/;
  expect(tags.map(([, tag]) => tag!).filter((tag) => !allowed.test(tag))).toEqual([]);
  expect(
    tags.map(([, , attributes]) => attributes).filter((all) => /\son|style=/.test(all!)),
  ).toEqual([]);
  expect(html).not.toMatch(/<script|<img|<b>|<input/);
  const links = Array.from(html.matchAll(/href="([^"]*)"/g), ([, href]) => href);
  expect(links).toEqual([
    '/docs/guides/keys#origins',
    'https://a.example/?a=%22b',
    '#here',
    '/openapi.json',
  ]);
  expect(headings.map(({ id }) => id)).toEqual(['a-bbb-c_d', 'a-bbb-c_d-1']);
});

test('[WEB] a bare address becomes a link, and the default one is labelled as this service’s', () => {
  const text = [
    'Open <http://127.0.0.1:4000/demo>, or <https://a.example/>.',
    '```sh\ncurl http://127.0.0.1:4000/v1\n```',
    '```js\nfetch()\n```',
    'Then:',
    '```nginx\nproxy_pass http://127.0.0.1:4000;\n```',
  ].join('\n\n');
  const { html } = renderPage(text, 'x', new Set());
  const here = '<span class="here">http://127.0.0.1:4000</span>';
  expect(html).toContain(`<a href="/demo">${here}/demo</a>`);
  expect(html).toContain('<a href="https://a.example/">https://a.example/</a>');
  expect(html).toContain(`curl ${here}/v1`);
  expect(html).toContain('proxy_pass http://127.0.0.1:4000;');
  expect(html.match(/<div class="tabs"[\s\S]*?<\/div>/)?.[0].match(/<pre/g)).toHaveLength(2);
});

test('[WEB] every page is written as HTML and as Markdown, with its contents marked', () => {
  cpSync(path.join(ROOT, 'web/docs/guide.html'), path.join(folder, 'guide.html'));
  writeGuides(DOCS, folder);
  expect(existsSync(path.join(folder, 'guide.html'))).toBe(false);
  const read = (file: string): string => readFileSync(path.join(folder, file), 'utf8');
  for (const { name, markdown } of pages) {
    const html = read(`${name}.html`);
    expect(read(`${name}.md`)).toBe(handOut(markdown, name, names));
    expect(html.match(/<h1/g)).toHaveLength(1);
    expect(html.match(/aria-current="page"/g)).toHaveLength(1);
    expect(/\{\{(?:title|contents|main)\}\}|<script>|<\w+ [^>]*\bstyle=/.test(html)).toBe(false);
  }
  const index = read('guides/index.html');
  const unlinked = pages.filter(({ name }) => !index.includes(`href="/docs/${name}"`));
  expect(unlinked.map(({ name }) => name)).toEqual([]);
  expect(read('llms.txt')).toBe(makeLlmsText(pages));
});

test('[WEB] a page published as Markdown has no links to unpublished documents', () => {
  const site = (file: string): boolean =>
    /^docs\/.+\.md$/.test(file)
      ? names.has(file.slice(5, -3))
      : /^(open|async)api\.json$/.test(file);
  for (const { name, markdown } of pages) {
    const text = handOut(markdown, name, names).replaceAll(/^```[\s\S]*?^```/gm, '');
    for (const [, href] of text.matchAll(/\]\(([^)\s#]+)[^)]*\)/g)) {
      if (/^https:/.test(href!)) continue;
      const file = path.posix.join('docs', path.posix.dirname(name), href!);
      expect([name, href, site(file)]).toEqual([name, href, true]);
    }
  }
  const one = 'See [it](../../src/x.ts), [that](keys.md).\n\n```js\na[0](b)\n```\n';
  expect(handOut(one, 'guides/x', names)).toBe(one.replace('[it](../../src/x.ts)', 'it'));
});

test('[WEB] every guide of the folder is a page, and every named page exists', () => {
  const docs = path.join(folder, 'docs');
  cpSync(DOCS, docs, { recursive: true, filter: (file) => !file.includes('screens') });
  mkdirSync(path.join(docs, 'guides'), { recursive: true });
  writeFileSync(path.join(docs, 'guides/new-thing.md'), '# New\n\nA `x: y` thing. More.\n');
  const found = readGuidePages(docs).find(({ name }) => name === 'guides/new-thing');
  expect(found).toMatchObject({ group: 'Go live', title: 'New', summary: 'A `x: y` thing.' });
  removeFolder(path.join(docs, 'errors.md'));
  expect(() => readGuidePages(docs)).toThrow('errors.md');
});

test('[WEB] samples are found in lists, too', () => {
  const text =
    'a\n\n- b\n\n  ```sh\n  one\n    two\n  ```\n\n```sh\nthree\n```\n\n```js\nfour\n```\n';
  expect(samplesOf(text, 'sh')).toEqual(['one\n  two\n', 'three\n']);
});
