/** Browsers that an account was signed in with, told by a sealed mark that they keep (rule D2). */

import type { Account } from '../../accounts/account.ts';
import type { AccountDeps } from './account-service.ts';

/** A browser that does not come back for so long is a stranger again. */
export const DEVICE_LIFE_MS = 180 * 86_400_000;
const ID_BYTES = 12;

interface Device {
  readonly id: string;
  readonly until: number;
}

type DeviceDeps = Pick<AccountDeps, 'sealer' | 'clock' | 'randomness'>;

/** It opens nothing: with it a browser's wrong passwords are counted apart from everybody's. */
export function makeDeviceMark({ sealer, clock, randomness }: DeviceDeps, { id }: Account): string {
  const device: Device = {
    id: Buffer.from(randomness.bytes(ID_BYTES)).toString('base64url'),
    until: clock.now() + DEVICE_LIFE_MS,
  };
  return sealer.seal(`device ${id}`, JSON.stringify(device));
}

/** The id of the browser, whichever way its mark is spelled; null for none, or one of another account. */
export function findDevice(
  { sealer, clock }: Pick<DeviceDeps, 'sealer' | 'clock'>,
  { id }: Account,
  mark: string | null,
): string | null {
  const text = mark === null ? null : sealer.open(`device ${id}`, mark);
  const device = text === null ? null : (JSON.parse(text) as Device);
  return device !== null && device.until > clock.now() ? device.id : null;
}
