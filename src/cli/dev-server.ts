/** Development's server: the service with a demo tenant and matches to play at once. */

import { createServer } from 'node:net';
import type { Parts, RunningService } from '../compose.ts';
import { listen, makeParts, PROJECT_ROOT } from '../compose.ts';
import type { Config } from '../config.ts';
import type { GameId } from '../games/game.ts';
import { GAME_IDS } from '../games/game.ts';
import { findGame } from '../games/registry.ts';
import { makeFrameOrigins } from '../http/frame-origins.ts';
import { makePlayUrl } from '../http/mint.ts';
import { makePages } from '../http/pages.ts';
import { makeLog } from '../log.ts';
import { isOptionError, parseOptions } from '../match/setup.ts';
import { systemRandomness } from '../runtime/system.ts';
import { TOKEN_LIFE_S } from '../runtime/tokens.ts';
import { limitsOf } from '../tenancy/tenant.ts';
import { openDevBots } from './dev-bots.ts';
import type { DevKeys } from './dev-tenant.ts';
import { openDevTenant } from './dev-tenant.ts';

/** Ports tried after the one asked for. */
const PORT_TRIES = 100;

export interface DevServer {
  readonly url: string;
  readonly keys: DevKeys;
  /** Games there is an engine of. */
  readonly games: readonly GameId[];
  readonly service: RunningService;
}

/** Starts on the port of the configuration, or on the next one that is free. */
export async function startDevServer(config: Config): Promise<DevServer> {
  const port = await findPort(config.host, config.port);
  const url = config.publicUrl ?? `http://${urlHost(config.host)}:${port}`;
  const parts = await makeParts(config, makeLog(config.logLevel), url, {
    allowLocal: true,
  });
  const keys = await openDevTenant({ ...parts, randomness: systemRandomness }, config.dataDir);
  await openDevBots(parts.bots, keys.tenant);
  const pages = makePages({
    root: PROJECT_ROOT,
    publicUrl: url,
    dev: { mintDemo: (game) => mintDemo(parts, keys.tenant, game) },
    tenantOrigins: makeFrameOrigins(parts.store, parts.clock, true),
  });
  const service = await listen(parts, port, pages);
  const games = GAME_IDS.filter((id) => findGame(id) !== null);
  return { url, keys, games, service };
}

/** A fresh test match of the demo tenant, as the play pages of its seats. */
async function mintDemo(parts: Parts, tenantId: string, game: string): Promise<{ urls: string[] }> {
  const engine = findGame(game as GameId);
  const tenant = await parts.store.findTenant(tenantId);
  if (engine === null || tenant === null) throw new Error(`${game} is not available`);
  const options = parseOptions(engine, {});
  if (isOptionError(options)) throw new Error(`${options.field} has no default`);
  const seats = engine.seats.default;
  const players = Array.from({ length: seats }, (_, seat) => ({
    id: `demo-${seat + 1}`,
    displayName: `Player ${seat + 1}`,
  }));
  const made = await parts.sessions.create(
    {
      tenant: tenantId,
      mode: 'test',
      game: engine.id,
      matchType: 'matchmaking',
      variant: engine.variants[0],
      seats,
      options,
      players,
      metadata: null,
      theme: null,
      limits: limitsOf(tenant),
    },
    null,
  );
  if (!made.ok) throw new Error(made.refusal);
  const { row } = made.value;
  const exp = Math.floor(parts.clock.now() / 1_000) + TOKEN_LIFE_S;
  const urls = players.map(({ id: player }) => {
    const token = parts.tokens.make({
      scope: 'session',
      tenant: tenantId,
      mode: row.mode,
      player,
      session: row.id,
      key: null,
      exp,
    });
    return makePlayUrl(parts, token);
  });
  return { urls };
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
