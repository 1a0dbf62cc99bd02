/** What the checks of devices are set to, with the file of roots read. */

import { readFileSync } from 'node:fs';
import { type Config, SETTINGS } from './config.ts';
import { readRoots } from './runtime/integrity/app-attest.ts';
import { APPLE_APP_ATTEST_ROOT } from './runtime/integrity/apple-root.ts';
import type { IntegritySettings } from './runtime/integrity/wire.ts';

export function integritySettings(config: Config): IntegritySettings {
  const { googleAccounts, googleTokenUrl, playIntegrityUrl, appAttestRoots } = config;
  return {
    accountsFolder: googleAccounts,
    tokenUrl: googleTokenUrl,
    playIntegrityUrl,
    appAttestRoots: appAttestRoots === null ? APPLE_APP_ATTEST_ROOT : readPem(appAttestRoots),
    appAttestEnvironments: config.appAttestEnvironments,
    requires: config.integrityRequires,
  };
}

/** Read before anything is opened: faults are reported with the setting's name. */
function readPem(file: string): string {
  try {
    const text = readFileSync(file, 'utf8');
    readRoots(text);
    return text;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${SETTINGS.appAttestRoots.env} ${JSON.stringify(file)}: ${reason}`);
  }
}
