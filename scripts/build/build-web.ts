/** Builds the pages in web/ into their dist folders: `bun scripts/build/build-web.ts [--if-stale]`. */

import fs from 'node:fs';
import path from 'node:path';
import { readGuidePages } from '../guides/pages.ts';
import { makeSearchEntries } from '../guides/search-entries.ts';
import { writeGuides } from '../guides/write-guides.ts';
import { weighPage } from './page-weight.ts';
import { overAim } from './weight.ts';

const root = path.join(import.meta.dir, '../..');

/** A page: its folder in web/ and the address it is served under. */
interface Page {
  readonly folder: string;
  readonly publicPath: string;
  /** The folder of Markdown that is published with it as pages. */
  readonly guides?: string;
}

const PAGES: readonly Page[] = [
  { folder: 'web/home', publicPath: '/home/' },
  { folder: 'web/play', publicPath: '/play/' },
  { folder: 'web/demo', publicPath: '/demo/' },
  { folder: 'web/docs', publicPath: '/docs/', guides: 'docs' },
  { folder: 'web/dashboard', publicPath: '/dashboard/' },
];

/** The documents that the reference shows. */
const DOCUMENTS = ['openapi.json', 'asyncapi.json'] as const;

/** The target size of a page: compressed, with any one board that is loaded later. Bytes. */
const PAGE_BYTES_AIM = 100_000;

function filesIn(folder: string): string[] {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}

/**
 * The page's own files, the style that pages share, the QR code drawing, the SDK for the connection to the server, and
 * the rules.
 */
const sourcesOf = (page: Page): string[] =>
  [page.folder, 'web/style', 'web/qr', 'sdk/src', 'src/games', 'src/match']
    .flatMap((folder) => filesIn(path.join(root, folder)))
    .filter((file) => !file.includes(`${path.sep}dist${path.sep}`) && !file.endsWith('.test.ts'))
    .concat(page.guides === undefined ? [] : guideSources(page.guides));

const guideSources = (folder: string): string[] => [
  ...filesIn(path.join(root, folder)).filter((file) => file.endsWith('.md')),
  ...filesIn(path.join(root, 'scripts/guides')),
  ...DOCUMENTS.map((name) => path.join(root, name)),
];

const distOf = (page: Page): string => path.join(root, page.folder, 'dist');

/** Is any source of the page newer than its build? */
function isStale(page: Page): boolean {
  const index = fs.statSync(path.join(distOf(page), 'index.html'), { throwIfNoEntry: false });
  if (index === undefined) return true;
  const inputs = [...sourcesOf(page), import.meta.path];
  // A deleted file makes its folder newer.
  const folders = [...new Set(inputs.map((file) => path.dirname(file)))].filter(
    (folder) => folder !== path.join(root, page.folder),
  );
  return [...inputs, ...folders].some((input) => fs.statSync(input).mtimeMs > index.mtimeMs);
}

/** Builds in another folder and swaps, so that no reader sees half a page. */
async function build(page: Page): Promise<void> {
  const fresh = path.join(root, '.cache', `web-${process.pid}-${path.basename(page.folder)}`);
  try {
    const built = await Bun.build({
      entrypoints: documentsIn(path.join(root, page.folder)),
      outdir: fresh,
      target: 'browser',
      minify: true,
      define: { 'process.env.NODE_ENV': '"production"' },
      splitting: true,
      sourcemap: 'none',
      publicPath: page.publicPath,
      naming: {
        entry: '[name].[ext]',
        chunk: 'assets/[name]-[hash].[ext]',
        asset: 'assets/[name]-[hash].[ext]',
      },
    });
    if (!built.success) throw new AggregateError(built.logs, `${page.folder} cannot be built`);
    dropEmptyScripts(fresh);
    await addSkeleton(page, fresh);
    if (page.guides !== undefined) {
      writeGuides(path.join(root, page.guides), fresh);
      writeSearch(path.join(root, page.guides), fresh);
    }
    swap(fresh, distOf(page));
  } finally {
    fs.rmSync(fresh, { recursive: true, force: true });
  }
}

/** The page's search index, made from the published documents and the guides. */
function writeSearch(docs: string, fresh: string): void {
  const [openApi, asyncApi] = DOCUMENTS.map((name) =>
    JSON.parse(fs.readFileSync(path.join(root, name), 'utf8')),
  );
  const entries = makeSearchEntries(readGuidePages(docs), openApi, asyncApi);
  fs.writeFileSync(path.join(fresh, 'search.json'), JSON.stringify(entries));
}

const documentsIn = (folder: string): string[] =>
  fs
    .readdirSync(folder)
    .filter((name) => name.endsWith('.html'))
    .map((name) => path.join(folder, name));

/** A document without a script of its own is given an empty one. */
function dropEmptyScripts(folder: string): void {
  for (const file of filesIn(path.join(folder, 'assets'))) {
    if (!file.endsWith('.js') || fs.statSync(file).size > 0) continue;
    const tag = new RegExp(`<script[^>]*${path.basename(file)}"[^>]*></script>`);
    for (const document of documentsIn(folder)) {
      fs.writeFileSync(document, fs.readFileSync(document, 'utf8').replace(tag, ''));
    }
    fs.rmSync(file);
  }
}

/**
 * The skeleton of a page with a `style/skeleton.css` is styled as soon as the document has loaded:
 * that file is inlined, and the other styles are linked below the skeleton's markup, which browsers
 * have drawn by then.
 */
async function addSkeleton(page: Page, fresh: string): Promise<void> {
  const source = path.join(root, page.folder, 'style/skeleton.css');
  if (!fs.existsSync(source)) return;
  const built = await Bun.build({ entrypoints: [source], minify: true });
  if (!built.success) throw new AggregateError(built.logs, `${source} cannot be built`);
  const skeleton = `<style>${(await built.outputs[0]!.text()).trim()}</style>`;
  const index = path.join(fresh, 'index.html');
  const html = fs.readFileSync(index, 'utf8');
  const [style] = /<link rel="stylesheet"[^>]*>/.exec(html) ?? [];
  if (style === undefined) throw new Error(`${page.folder} has no style below its skeleton`);
  const moved = html.replace(style, skeleton).replace('</body>', `${style}</body>`);
  fs.writeFileSync(index, moved);
}

/** Replaces the old folder by the new one. A concurrent build may have been first. */
function swap(fresh: string, dist: string): void {
  const old = `${fresh}-old`;
  if (fs.existsSync(dist)) fs.renameSync(dist, old);
  try {
    fs.renameSync(fresh, dist);
  } catch (error) {
    if (!fs.existsSync(path.join(dist, 'index.html'))) throw error;
  }
  fs.rmSync(old, { recursive: true, force: true });
}

function printWeight(page: Page): void {
  const { first, most, all } = weighPage(distOf(page));
  console.log(
    `${page.folder}: ${first} B gzip at first, ${most} with its heaviest part, ${all} in all`,
  );
  const weight = { name: page.folder, bytes: most, aim: PAGE_BYTES_AIM };
  for (const line of overAim([weight])) console.warn(line);
}

const onlyIfStale = process.argv.includes('--if-stale');
for (const page of PAGES) {
  if (onlyIfStale && !isStale(page)) continue;
  await build(page);
  printWeight(page);
}
