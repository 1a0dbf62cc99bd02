/** Browsers that an account was signed in with, told by a sealed mark that they keep (rule D2). */

import type { Account } from '../../accounts/account.ts';
import type { AccountDeps, SignedIn } from './account-service.ts';
import { digestOf } from './account-texts.ts';

/** A browser that does not come back for so long is a stranger again. */
export const DEVICE_LIFE_MS = 180 * 86_400_000;

interface Device {
  /** The sign-in it was marked in: all marks of one are one browser, however many are asked for. */
  readonly id: string;
  readonly until: number;
}

type DeviceDeps = Pick<AccountDeps, 'sealer' | 'clock'>;

/** It opens nothing: with it a browser's wrong passwords are counted apart from everybody's. */
export function makeDeviceMark(
  { sealer, clock }: DeviceDeps,
  { account, session }: Pick<SignedIn, 'account' | 'session'>,
): string {
  const device: Device = { id: session.id, until: clock.now() + DEVICE_LIFE_MS };
  return sealer.seal(purposeOf(account), JSON.stringify(device));
}

/** The id of the browser, whichever way its mark is spelled; null for none, or one of another account. */
export function findDevice(
  { sealer, clock }: DeviceDeps,
  account: Account,
  mark: string | null,
): string | null {
  const text = mark === null ? null : sealer.open(purposeOf(account), mark);
  const device = text === null ? null : (JSON.parse(text) as Device);
  return device !== null && device.until > clock.now() ? device.id : null;
}

/** With another password or second factor whoever has an older mark is a stranger: they may be a thief. */
function purposeOf({ id, passwordHash, totpSecret, passkeyRevision }: Account): string {
  // Marks from before there were passkeys stay good.
  const passkeys = passkeyRevision === 0 ? [] : [passkeyRevision];
  return `device ${id} ${digestOf(JSON.stringify([passwordHash, totpSecret, ...passkeys]))}`;
}
