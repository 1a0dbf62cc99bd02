/** Wires the device checks from settings and the store. */

import type { Requirement } from '../../integrity/strictness.ts';
import type { IntegrityStore } from '../../store/integrity.ts';
import type { Clock, Randomness } from '../ports.ts';
import { makeAndroidCheck } from './android-check.ts';
import { type AppAttestEnvironment, readRoots } from './app-attest.ts';
import { makeGoogleAccounts } from './google-accounts.ts';
import { type GoogleAddresses, makeGoogleClient } from './google-client.ts';
import {
  type IntegrityLog,
  type IntegrityService,
  makeIntegrityService,
} from './integrity-service.ts';
import { makeIosCheck } from './ios-check.ts';

export interface IntegritySettings extends GoogleAddresses {
  /** The folder of service accounts; null: Android devices are not checked. */
  readonly accountsFolder: string | null;
  /** PEM text of the roots that are trusted. */
  readonly appAttestRoots: string;
  /** Environments of App Attest that count in live sessions. */
  readonly appAttestEnvironments: readonly AppAttestEnvironment[];
  /** Failures of a check that are not the device's. */
  readonly requires: readonly Requirement[];
}

export interface WireDeps {
  readonly store: IntegrityStore;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly log: IntegrityLog;
}

/** Throws for an invalid root. */
export function wireIntegrity(deps: WireDeps, settings: IntegritySettings): IntegrityService {
  const { store, clock, log } = deps;
  const requires = new Set(settings.requires);
  const accounts = makeGoogleAccounts({
    folder: settings.accountsFolder,
    clock,
    onBadFile: (file, err) => log.error({ file, err }, 'service account not usable'),
  });
  const google = makeGoogleClient(settings, clock);
  const roots = readRoots(settings.appAttestRoots);
  return makeIntegrityService({
    ...deps,
    android: makeAndroidCheck({ store, accounts, google, clock, requires }),
    ios: makeIosCheck({ store, roots, clock, requires }),
    environments: settings.appAttestEnvironments,
  });
}
