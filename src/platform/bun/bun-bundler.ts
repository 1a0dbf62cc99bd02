/** Bundling with Bun's own bundler, which the single-file executable includes. */

import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import type { Bundle, BundleRequest, BundleSource } from '../bundler.ts';

/** Loaders by file extension. */
const LOADERS: Readonly<Record<string, Bun.Loader>> = {
  '.ts': 'ts',
  '.mts': 'ts',
  '.tsx': 'tsx',
  '.js': 'js',
  '.mjs': 'js',
  '.jsx': 'jsx',
  '.json': 'json',
  '.css': 'text',
  '.svg': 'text',
  '.txt': 'text',
};
const PROVIDED = 'provided';
/** Packages may lie in a folder above the root. */
const IN_PACKAGE = /[\\/]node_modules[\\/]/;

export const bunBundle: Bundle = async (request) => {
  const sources: BundleSource[] = [];
  const built = await Bun.build({
    entrypoints: [request.entry],
    root: request.root,
    target: 'browser',
    format: 'esm',
    env: 'disable',
    throw: false,
    plugins: [
      {
        name: 'matchd',
        setup: (build) => setUp(build, request, (source) => sources.push(source)),
      },
    ],
  });
  if (!built.success) {
    return { ok: false, errors: built.logs.map((log) => describe(log, request.root)) };
  }
  const [output] = built.outputs;
  return { ok: true, text: await output!.text(), sources };
};

function setUp(
  { onResolve, onLoad }: Bun.PluginBuilder,
  { root, provided }: BundleRequest,
  note: (source: BundleSource) => void,
): void {
  onResolve({ filter: /.*/ }, ({ path: name, importer }) => {
    if (Object.hasOwn(provided, name)) return { path: name, namespace: PROVIDED };
    const refusal = importer === '' ? null : refuse(name, importer, root);
    if (refusal !== null) throw new Error(refusal);
    return undefined;
  });
  onLoad({ filter: /.*/, namespace: PROVIDED }, ({ path: name }) => ({
    contents: provided[name]!,
    loader: 'js',
  }));
  onLoad({ filter: /.*/, namespace: 'file' }, ({ path: file }) => {
    const loader = LOADERS[path.extname(file)];
    if (loader === undefined) throw new Error('no file that can be bundled');
    const text = readFileSync(file, 'utf8');
    note({ path: file, text });
    return { contents: text, loader };
  });
}

/** Why a module may not be imported; null when it may. */
function refuse(name: string, importer: string, root: string): string | null {
  if (isBuiltin(name) || /^(?:node|bun):|^bun$/.test(name)) {
    return `${name} is a module of the machine, which a game cannot import`;
  }
  if (!/^\.{0,2}\//.test(name) || IN_PACKAGE.test(importer)) return null;
  const file = path.resolve(path.dirname(importer), name);
  return file.startsWith(root + path.sep) ? null : `${name} lies outside ${root}`;
}

function describe(log: BuildMessage | ResolveMessage, root: string): string {
  const message = log.message.split(' Maybe you need to ')[0]!;
  const { file = '', line = 0 } = log.position ?? {};
  if (file === '') return message;
  const name = path.relative(root, path.resolve(root, file));
  // A plugin's refusal has no line.
  return line === 0 ? `${name}: ${message}` : `${name}:${line}: ${message}`;
}
