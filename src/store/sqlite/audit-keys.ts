/** How the keys of the audit's chains reach the writer's thread, which has them in memory alone. */

import { Buffer } from 'node:buffer';
import type { AuditKey } from '../../accounts/audit-key.ts';

export interface UseAuditKeys {
  readonly op: 'useAuditKeys';
  readonly keys: readonly AuditKeyText[];
}

/** Its secret is in base64, as all that crosses to the writer is JSON. */
interface AuditKeyText {
  readonly kid: string;
  readonly secret: string;
}

export function makeUseAuditKeys(keys: readonly AuditKey[]): UseAuditKeys {
  const texts = keys.map(({ kid, secret }) => ({
    kid,
    secret: Buffer.from(secret).toString('base64'),
  }));
  return { op: 'useAuditKeys', keys: texts };
}

export function parseUseAuditKeys({ keys }: UseAuditKeys): AuditKey[] {
  return keys.map(({ kid, secret }) => ({
    kid,
    secret: Uint8Array.from(Buffer.from(secret, 'base64')),
  }));
}
