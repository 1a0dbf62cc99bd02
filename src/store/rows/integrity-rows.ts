/** Converts rows of device checks. */

import type { RegisteredCredential } from '../../integrity/credential.ts';
import type { KeyMode } from '../../tenancy/tenant.ts';
import type { AttestedKey, CredentialRow } from '../integrity.ts';
import type { Row } from './row.ts';

export function toCredential(row: Row): CredentialRow {
  const registered = {
    platform: row['platform'],
    credential: JSON.parse(String(row['credential'])),
  } as RegisteredCredential;
  return {
    ...registered,
    tenant: String(row['tenant']),
    mode: row['mode'] as KeyMode,
    updatedAt: Number(row['updated_at']),
  };
}

export function toAttestedKey(row: Row): AttestedKey {
  return {
    tenant: String(row['tenant']),
    mode: row['mode'] as KeyMode,
    appId: String(row['app_id']),
    keyId: String(row['key_id']),
    publicKey: String(row['public_key']),
    environment: String(row['environment']),
    attestedAt: Number(row['attested_at']),
  };
}
