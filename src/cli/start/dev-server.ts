/** Development's server: the service with a demo tenant and matches to play at once. */

import { createServer } from 'node:net';
import type { GameId } from '../../../game/src/game.ts';
import { makeParts, type Parts, PROJECT_ROOT } from '../../compose.ts';
import type { Config } from '../../config.ts';
import { makeFrameOrigins } from '../../http/site/frame-origins.ts';
import { makePages } from '../../http/site/pages.ts';
import { closeParts, listen, type RunningService } from '../../listen.ts';
import { makeLog } from '../../log.ts';
import { systemRandomness } from '../../runtime/system.ts';
import { SAMPLE_SLUG } from '../sample/slug.ts';
import type { DevKeys } from '../store/dev-tenant.ts';
import { openDevTenant } from '../store/dev-tenant.ts';
import { makeDemoBackend } from './demo-backend.ts';
import { openDevBots } from './dev-bots.ts';
import { openDevGames } from './dev-games.ts';
import { orClose } from './run-service.ts';
import { type Announced, announceService } from './service-file.ts';
import { makeSetupUrl } from './setup-url.ts';

/** Ports tried after the requested one. */
const PORT_TRIES = 100;

export interface DevServer {
  readonly url: string;
  readonly keys: DevKeys;
  /** In the order of lists. */
  readonly games: readonly GameId[];
  readonly service: RunningService;
  /** The file by which commands find this service. */
  readonly announced: Announced;
  /** Where the dashboard's first account is made; null when there is one. */
  readonly setupUrl: string | null;
  /** The dashboard's address of the sample data; null if none was requested. */
  readonly sampleUrl: string | null;
  /** To be called when the service stops. */
  stopWatching(): void;
}

/** Starts on the port of the configuration, or on the next one that is free. Rejects with nothing left open. */
export async function startDevServer(
  config: Config,
  { sampleData = false }: { readonly sampleData?: boolean } = {},
): Promise<DevServer> {
  const port = await findPort(config.host, config.port);
  const url = config.publicUrl ?? `http://${urlHost(config.host)}:${port}`;
  const parts = await makeParts(config, makeLog(config.logLevel), url, {
    allowLocal: true,
  });
  const { keys, pages, watch } = await orClose(
    async () => {
      // Before anything is written: where sample data are refused nothing changes.
      if (sampleData) await checkSample(parts);
      const watching = await openDevGames(parts, config);
      const opened = await openDemo(parts, config);
      if (sampleData) await openSample(parts);
      const made = makePages({
        root: PROJECT_ROOT,
        publicUrl: url,
        dev: makeDemoBackend(
          `http://${urlHost(config.host)}:${port}`,
          opened.testKey,
          parts.library,
        ),
        security: { contacts: config.securityContacts, clock: parts.clock },
        tenantOrigins: makeFrameOrigins(parts.store, parts.clock, true),
        ownGames: parts.library.loaded,
      });
      return { keys: opened, pages: made, watch: watching };
    },
    () => closeParts(parts),
  );
  const service = await listen(parts, port, pages);
  const setupUrl = await orClose(() => makeSetupUrl(parts.accounts, url), service.stop);
  const announced = announceService(config, { node: parts.node, port, publicUrl: url }, parts);
  const openBots = (): void => {
    const fail = (err: unknown): void => parts.log.error({ err }, 'bots of the demo not opened');
    openDevBots(parts.bots, keys.tenant, parts.games).catch(fail);
  };
  const stopWatching = watch?.(openBots) ?? (() => {});
  const games = parts.games.ids();
  const sampleUrl = sampleData ? `${url}/dashboard/t/${SAMPLE_SLUG}/live/overview` : null;
  return { url, keys, games, service, announced, setupUrl, sampleUrl, stopWatching };
}

async function openDemo(parts: Parts, { dataDir }: Config): Promise<DevKeys> {
  const keys = await openDevTenant({ ...parts, randomness: systemRandomness }, dataDir);
  await openDevBots(parts.bots, keys.tenant, parts.games);
  return keys;
}

/** Written before any request is accepted: it takes seconds. */
async function openSample(parts: Parts): Promise<void> {
  const { openSampleData } = await import('../sample/sample-data.ts');
  await openSampleData({ ...parts, store: parts.uncounted });
}

async function checkSample({ store }: Parts): Promise<void> {
  const { findSampleTenant } = await import('../sample/sample-data.ts');
  await findSampleTenant(store);
}

async function findPort(host: string, first: number): Promise<number> {
  for (let port = first; port < first + PORT_TRIES; port++) {
    const found = await probe(host, port);
    if (found !== null) return found;
  }
  throw new Error(`ports ${first} to ${first + PORT_TRIES - 1} are all in use`);
}

/** The port if it can be listened on (any free one for 0), else null. */
function probe(host: string, port: number): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(null);
      else reject(error);
    });
    server.listen(port, host, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' ? (address?.port ?? port) : port));
    });
  });
}

/** How a URL names the address that is listened on. */
function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}
