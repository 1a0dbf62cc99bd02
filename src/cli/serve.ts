/** `matchd serve`: production. Makes no keys and prints none. */

import { existsSync } from 'node:fs';
import { listen, makeParts, PROJECT_ROOT } from '../compose.ts';
import { warningsOf } from '../config.ts';
import { makeFrameOrigins } from '../http/frame-origins.ts';
import { makePages } from '../http/pages.ts';
import { makeLog } from '../log.ts';
import { devKeysFile } from './dev-tenant.ts';
import type { ServeOptions } from './options.ts';
import { announceService } from './service-file.ts';
import { makeSetupUrl, setupWords } from './setup-url.ts';
import { endSoon, untilStopped } from './stop-signal.ts';

/** Runs until the process is told to stop and has drained; throws when it cannot start. */
export async function runServe({ config, adopt, json }: ServeOptions): Promise<void> {
  const { dataDir, publicUrl } = config;
  if (existsSync(devKeysFile(dataDir)) && !adopt) {
    throw new Error(
      `${dataDir} was used for development, its keys lie in the open: take another folder, or --adopt`,
    );
  }
  const stopped = untilStopped();
  const log = makeLog(config.logLevel);
  for (const warning of warningsOf(config)) log.warn({ url: publicUrl }, warning);
  const parts = await makeParts(config, log, publicUrl);
  const tenantOrigins = makeFrameOrigins(parts.store, parts.clock, false);
  const pages = makePages({
    root: PROJECT_ROOT,
    publicUrl,
    dev: null,
    security: { contacts: config.securityContacts, clock: parts.clock },
    tenantOrigins,
  });
  const service = await listen(parts, config.port, pages);
  const { port } = service;
  const announced = announceService(config, { node: parts.node, port, publicUrl }, parts);
  const setupUrl = await makeSetupUrl(parts.accounts, publicUrl);
  const line = { url: publicUrl, port, pid: process.pid, ...(setupUrl && { setupUrl }) };
  if (json) process.stdout.write(`${JSON.stringify(line)}\n`);
  // Beside the log, which keeps no secrets.
  else if (setupUrl !== null) process.stdout.write(setupWords(setupUrl));
  log.info({ url: publicUrl, host: config.host, port, dataDir }, 'ready');
  await stopped;
  log.info({}, 'draining');
  announced.withdraw();
  await service.stop();
  log.info({}, 'stopped');
  endSoon();
}
