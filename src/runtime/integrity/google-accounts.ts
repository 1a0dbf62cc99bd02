/** Service accounts of Google projects, from files in an operator's folder. */

import { createPrivateKey, type KeyObject } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Clock } from '../ports.ts';

/** A file is read again after this time: a new key needs no restart. */
const FRESH_MS = 30_000;
/** A service account's file has about 2.4 KiB. */
const FILE_BYTES_MAX = 16 * 1_024;
const NUMBER_SHAPE = /^\d{1,20}$/;
const TENANT_SHAPE = /^[0-9a-z_]{1,64}$/;

/** One service account. The key object keeps its secret from being printed. */
export interface GoogleAccount {
  /** Identifies the account and its key: access tokens are cached by it. */
  readonly id: string;
  readonly email: string;
  readonly keyId: string;
  readonly key: KeyObject;
}

export interface GoogleAccounts {
  /** The tenant's own account for the project, else the one for all tenants; null for none. */
  find(tenant: string, projectNumber: string): Promise<GoogleAccount | null>;
}

interface Known {
  readonly account: GoogleAccount | null;
  readonly readAt: number;
}

export interface AccountDeps {
  /** `<folder>/<tenant id>/<project number>.json`, `<folder>/<project number>.json`. */
  readonly folder: string | null;
  readonly clock: Pick<Clock, 'now'>;
  /** A file exists but is no service account's. */
  onBadFile(file: string, error: unknown): void;
}

export function makeGoogleAccounts({ folder, clock, onBadFile }: AccountDeps): GoogleAccounts {
  const known = new Map<string, Known>();
  const look = async (file: string): Promise<GoogleAccount | null> => {
    const found = known.get(file);
    if (found !== undefined && clock.now() - found.readAt < FRESH_MS) return found.account;
    const account = await readAccount(file, onBadFile);
    // Only existing files are cached: the names come from outside, and there are many.
    if (account === null) known.delete(file);
    else known.set(file, { account, readAt: clock.now() });
    return account;
  };
  return {
    async find(tenant, projectNumber) {
      if (folder === null || !NUMBER_SHAPE.test(projectNumber)) return null;
      const name = `${projectNumber}.json`;
      const own = TENANT_SHAPE.test(tenant) ? await look(path.join(folder, tenant, name)) : null;
      return own ?? look(path.join(folder, name));
    },
  };
}

async function readAccount(
  file: string,
  onBadFile: AccountDeps['onBadFile'],
): Promise<GoogleAccount | null> {
  try {
    if ((await stat(file)).size > FILE_BYTES_MAX) throw new Error('it is too large');
    return parseAccount(await readFile(file, 'utf8'));
  } catch (error) {
    const { code } = error as { readonly code?: unknown };
    if (code !== 'ENOENT' && code !== 'ENOTDIR') onBadFile(file, error);
    return null;
  }
}

function parseAccount(text: string): GoogleAccount {
  const { client_email, private_key, private_key_id } = parseFields(text);
  if (![client_email, private_key, private_key_id].every((each) => typeof each === 'string')) {
    throw new Error('client_email, private_key and private_key_id are required');
  }
  const [email, keyId] = [client_email as string, private_key_id as string];
  const key = createPrivateKey(private_key as string);
  if (key.asymmetricKeyType !== 'rsa') throw new Error('private_key is no RSA key');
  return { id: `${email} ${keyId}`, email, keyId, key };
}

/** The parser's own message would quote the file. */
function parseFields(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text)) as Record<string, unknown>;
  } catch {
    throw new Error('it is no JSON');
  }
}
