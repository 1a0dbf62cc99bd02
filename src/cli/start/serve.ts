/** `matchd serve`: production. Makes no keys and prints none. */

import { existsSync } from 'node:fs';
import { makeParts, PROJECT_ROOT } from '../../compose.ts';
import { warningsOf } from '../../config.ts';
import { makeFrameOrigins } from '../../http/site/frame-origins.ts';
import { makePages } from '../../http/site/pages.ts';
import { closeParts, listen } from '../../listen.ts';
import { type Log, makeLog } from '../../log.ts';
import { devKeysFile } from '../store/dev-tenant.ts';
import type { ServeOptions } from './options.ts';
import { orClose, runService, type Started } from './run-service.ts';
import { announceService } from './service-file.ts';
import { makeSetupUrl, setupWords } from './setup-url.ts';

type ServeConfig = ServeOptions['config'];

/** Runs until the process is told to stop and has drained; throws when it cannot start. */
export async function runServe({ config, adopt, json }: ServeOptions): Promise<void> {
  const { dataDir, publicUrl } = config;
  if (existsSync(devKeysFile(dataDir)) && !adopt) {
    throw new Error(
      `${dataDir} was used for development, and its keys are stored in clear text: use another folder, or --adopt`,
    );
  }
  const log = makeLog(config.logLevel);
  for (const warning of warningsOf(config)) log.warn({ url: publicUrl }, warning);
  await runService({
    start: () => startServing(config, log),
    ready({ service: { port }, setupUrl }) {
      const line = { url: publicUrl, port, pid: process.pid, ...(setupUrl && { setupUrl }) };
      if (json) process.stdout.write(`${JSON.stringify(line)}\n`);
      // Beside the log, which keeps no secrets.
      else if (setupUrl !== null) process.stdout.write(setupWords(setupUrl));
      log.info({ url: publicUrl, host: config.host, port, dataDir }, 'ready');
    },
    draining: () => log.info({}, 'draining'),
    stopped: () => log.info({}, 'stopped'),
  });
}

interface Serving extends Started {
  /** Where the dashboard's first account is made; null when there is one. */
  readonly setupUrl: string | null;
}

async function startServing(config: ServeConfig, log: Log): Promise<Serving> {
  const { publicUrl } = config;
  const parts = await makeParts(config, log, publicUrl);
  const pages = await orClose(
    async () => {
      const tenantOrigins = makeFrameOrigins(parts.store, parts.clock, false);
      const security = { contacts: config.securityContacts, clock: parts.clock };
      return makePages({
        root: PROJECT_ROOT,
        publicUrl,
        dev: null,
        security,
        tenantOrigins,
        ownGames: parts.library.loaded,
      });
    },
    () => closeParts(parts),
  );
  const service = await listen(parts, config.port, pages);
  const setupUrl = await orClose(() => makeSetupUrl(parts.accounts, publicUrl), service.stop);
  const { port } = service;
  const announced = announceService(config, { node: parts.node, port, publicUrl }, parts);
  return { service, announced, setupUrl };
}
