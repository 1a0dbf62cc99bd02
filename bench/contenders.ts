/** The servers that are measured: how each is called, prepared and started. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Contender } from './jobs.ts';
import { startMatchd } from './matchd-server.ts';
import { findNode, installPeer, peerDir } from './peer-setup.ts';
import { freePort } from './ports.ts';
import type { Extras, Processes } from './processes.ts';
import type { StartedServer } from './started-server.ts';
import { makeStarted } from './started-server.ts';

export interface ReadyContender {
  readonly contender: Contender;
  /** As tables show it. */
  readonly label: string;
  start(): Promise<StartedServer>;
}

/** Why a server is left out. */
export interface MissingContender {
  readonly contender: Contender;
  readonly missing: string;
}

const PEERS = {
  colyseus: {
    runtime: 'node',
    server: 'server.mjs',
    package: '@colyseus/core',
    label: (version: string) => `Colyseus ${version}, ws, in memory`,
  },
  'colyseus-fast': {
    runtime: 'bun',
    server: 'server.mjs',
    package: '@colyseus/core',
    label: (version: string) => `Colyseus ${version} on Bun, in memory`,
  },
  boardgameio: {
    runtime: 'node',
    server: 'server.cjs',
    package: 'boardgame.io',
    label: (version: string) => `boardgame.io ${version}, in memory`,
  },
} as const;

type Peer = keyof typeof PEERS;

/** Whether it runs on Node. */
export function needsNode(contender: Contender): boolean {
  return contender in PEERS && PEERS[contender as Peer].runtime === 'node';
}

/** Makes a server ready to be started, installing it first if it is a peer. */
export async function prepare(
  contender: Contender,
  processes: Processes,
): Promise<ReadyContender | MissingContender> {
  switch (contender) {
    case 'matchd':
      return { contender, label: '**matchd**, durable', start: () => startMatchd(processes) };
    case 'matchd-v1':
      return {
        contender,
        label: 'matchd, durable, matchd.v1',
        start: () => startMatchd(processes),
      };
    case 'ceiling':
      return {
        contender,
        label: 'ceiling: relay alone',
        start: () => startScript(processes, 'ceiling.ts', []),
      };
    case 'colyseus':
    case 'colyseus-fast':
    case 'boardgameio':
      return preparePeer(contender, processes);
  }
}

export function isMissing(one: ReadyContender | MissingContender): one is MissingContender {
  return 'missing' in one;
}

/** Starts a server of the benchmark's own, on the runtime that runs this. */
export async function startScript(
  processes: Processes,
  script: string,
  args: readonly string[],
  extras: Extras = {},
): Promise<StartedServer> {
  const command = [process.execPath, join(import.meta.dir, script), String(freePort()), ...args];
  return makeStarted(await processes.startServer({ command, cwd: import.meta.dir, ...extras }), '');
}

async function preparePeer(
  contender: Peer,
  processes: Processes,
): Promise<ReadyContender | MissingContender> {
  const peer = PEERS[contender];
  const runtime = peer.runtime === 'bun' ? process.execPath : (await findNode())?.path;
  if (runtime === undefined) return { contender, missing: 'there is no Node to run it' };
  const problem = await installPeer(contender);
  if (problem !== null) return { contender, missing: problem };
  const cwd = peerDir(contender);
  return {
    contender,
    label: peer.label(installedVersion(cwd, peer.package)),
    async start() {
      const command = [runtime, peer.server, String(freePort())];
      const env = { NODE_ENV: 'production' };
      return makeStarted(await processes.startServer({ command, cwd, env }), '');
    },
  };
}

function installedVersion(folder: string, name: string): string {
  const file = join(folder, 'node_modules', name, 'package.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
