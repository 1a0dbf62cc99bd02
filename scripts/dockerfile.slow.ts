/**
 * Runs the Dockerfile step by step in a temporary folder, as far as possible without a container:
 * packages come from this checkout instead of the registry, and steps that need root or another
 * system are only checked as shell.
 */

import { afterAll, expect, test } from 'bun:test';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { freePort } from '../e2e/parts/server-process.ts';
import { makeTempFolder, removeFolder } from '../src/testing/temp-folder.ts';

const ROOT = path.dirname(import.meta.dirname);
const TEST_MS_MAX = 300_000;
const READY_MS_MAX = 20_000;

const read = (file: string): string => fs.readFileSync(path.join(ROOT, file), 'utf8');
const lines = (file: string): string[] =>
  read(file)
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));

interface Step {
  readonly word: string;
  readonly rest: string;
}

const steps: readonly Step[] = lines('Dockerfile').map((line) => {
  const [, word, rest] = /^([A-Z]+) (.+)$/.exec(line)!;
  return { word: word!, rest: rest! };
});
const ignored = lines('.dockerignore');

/** Files that the container engine would exclude. */
function isIgnored(file: string): boolean {
  return ignored.some((each) =>
    each.startsWith('**/') ? path.basename(file) === each.slice(3) : file === each,
  );
}

const folder = makeTempFolder();
afterAll(() => removeFolder(folder));

/** A stage's own root: paths of the container are below it. */
interface Stage {
  readonly root: string;
  workdir: string;
  readonly env: Record<string, string>;
  readonly last: Map<string, string>;
}

const stages: Stage[] = [];
const inside = (stage: Stage, file: string): string =>
  path.join(stage.root, path.resolve(stage.workdir, file));

function copy(stage: Stage, rest: string): void {
  const words = rest.split(' ');
  const isFromBuild = words[0] === '--from=build';
  const names = words.slice(isFromBuild ? 1 : 0, -1);
  const target = inside(stage, words.at(-1)!);
  for (const name of names) {
    const source = isFromBuild ? path.join(stages[0]!.root, name) : path.join(ROOT, name);
    const isFolder = words.at(-1)!.endsWith('/') || words.at(-1) === '.';
    const to = isFolder && name !== '.' ? path.join(target, path.basename(name)) : target;
    fs.mkdirSync(path.dirname(to), { recursive: true });
    const filter = (from: string): boolean => isFromBuild || !isIgnored(path.relative(ROOT, from));
    fs.cpSync(source, to, { recursive: true, filter });
  }
}

/** Replacements for commands that need the registry, root, or another system. */
function runInstead(stage: Stage, command: string): boolean {
  if (command.startsWith('npm ci ')) {
    fs.symlinkSync(path.join(ROOT, 'node_modules'), inside(stage, 'node_modules'));
    return true;
  }
  return /^(?:apt-get|groupadd) /.test(command);
}

function run(stage: Stage, command: string): void {
  expect([command, spawnSync('sh', ['-n', '-c', command]).status]).toEqual([command, 0]);
  if (runInstead(stage, command)) return;
  const own = command
    .replace(/ -[og] matchd/g, '')
    .replaceAll(/ \/(\w+)/g, (_, name: string) => ` ${path.join(stage.root, name)}`);
  const cwd = inside(stage, '.');
  const { status, stderr } = spawnSync('sh', ['-c', own], { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command}: ${stderr}`);
}

function carryOut({ word, rest }: Step): void {
  const stage = stages.at(-1)!;
  switch (word) {
    case 'FROM': {
      const root = path.join(folder, `stage${stages.length}`);
      fs.mkdirSync(root);
      stages.push({ root, workdir: '/', env: {}, last: new Map() });
      return;
    }
    case 'WORKDIR':
      stage.workdir = rest;
      fs.mkdirSync(inside(stage, '.'), { recursive: true });
      return;
    case 'COPY':
      copy(stage, rest);
      return;
    case 'RUN':
      run(stage, rest);
      return;
    case 'ENV':
      for (const pair of rest.split(' ')) {
        const [name, value] = pair.split('=') as [string, string];
        stage.env[name] = value.startsWith('/') ? path.join(stage.root, value) : value;
      }
      return;
    case 'USER':
    case 'VOLUME':
    case 'EXPOSE':
    case 'STOPSIGNAL':
    case 'HEALTHCHECK':
    case 'ENTRYPOINT':
    case 'CMD':
      stage.last.set(word, rest);
      return;
    default:
      throw new Error(`${word} is not understood here`);
  }
}

test(
  '[CLI] the Dockerfile’s steps make an image that starts, is healthy, and stops when told',
  async () => {
    for (const step of steps) carryOut(step);
    const image = stages.at(-1)!;
    expect(stages.length).toBe(2);
    expect(image.last.get('USER')).toBe('matchd');
    expect(fs.statSync(path.join(image.root, 'data')).mode & 0o777).toBe(0o700);
    const port = `${await freePort()}`;
    const env = {
      ...image.env,
      PATH: path.join(image.root, 'usr/local/bin'),
      // Tests listen on this machine only.
      MATCHD_HOST: '127.0.0.1',
      MATCHD_PORT: port,
      MATCHD_PUBLIC_URL: `http://127.0.0.1:${port}`,
    };
    const parse = (word: string): string[] =>
      JSON.parse(image.last.get(word)!.replace(/^.*CMD /, '')) as string[];
    const options = { env, cwd: path.join(image.root, 'data') };
    const [program, ...args] = [...parse('ENTRYPOINT'), ...parse('CMD')];
    const file = path.join(env.PATH, program!);
    const child = Bun.spawn([file, ...args], { ...options, stdout: 'ignore', stderr: 'ignore' });
    const [, ...check] = parse('HEALTHCHECK');
    const began = Date.now();
    let healthy = false;
    while (!healthy && Date.now() - began < READY_MS_MAX) {
      healthy = spawnSync(file, check, options).status === 0;
    }
    expect(healthy).toBe(true);
    const page = await fetch(`http://127.0.0.1:${port}/dashboard/`);
    expect(page.status).toBe(200);
    child.kill(image.last.get('STOPSIGNAL') as 'SIGTERM');
    expect(await child.exited).toBe(0);
    expect(spawnSync(file, check, options).status).toBe(1);
    expect(fs.existsSync(path.join(image.root, 'data', 'matchd.db'))).toBe(true);
  },
  TEST_MS_MAX,
);

test('[CLI] compose runs that image isolated, with only what the image has', () => {
  const { services, volumes } = Bun.YAML.parse(read('compose.yaml')) as {
    services: { matchd: Record<string, unknown> };
    volumes: Record<string, unknown>;
  };
  const { matchd } = services;
  expect(matchd).toMatchObject({ build: '.', read_only: true, cap_drop: ['ALL'] });
  const mounts = (matchd['volumes'] as string[]).map((each) => each.split(':'));
  const wanted = steps.find(({ word }) => word === 'VOLUME')!.rest;
  expect(mounts.map(([, place]) => place)).toEqual(JSON.parse(wanted) as string[]);
  expect(mounts.map(([name]) => name)).toEqual(Object.keys(volumes));
  // Reached only by the proxy on the same machine.
  expect(matchd['ports']).toEqual(['127.0.0.1:4000:4000']);
});
