/** Anchors: signed heads of audit chains, to be stored where a database administrator cannot change them (rule D8). */

import type { AuditHead } from '../../store/audit-keys.ts';
import type { Signature, SignatureCheck, Signer } from '../signing/signer.ts';
import type { SeenHead } from './audit-check.ts';

export interface AuditAnchor extends SeenHead {
  /** Whose chain; empty for the installation's. */
  readonly tenant: string;
  /** When the chain had that head, ISO 8601. */
  readonly at: string;
  readonly signature: Signature;
}

export function makeAnchor(
  signer: Pick<Signer, 'sign'>,
  { tenant, n, hash }: Pick<AuditHead, 'tenant' | 'n' | 'hash'>,
  now: number,
): AuditAnchor {
  const at = new Date(now).toISOString();
  const signature = signer.sign('audit-head', signedText({ tenant, n, hash, at }));
  return { tenant, n, hash, at, signature };
}

export function checkAnchor(signer: Pick<Signer, 'check'>, anchor: AuditAnchor): SignatureCheck {
  return signer.check('audit-head', signedText(anchor), anchor.signature);
}

/** A JSON array, so that no two anchors have the same text. */
function signedText({ tenant, n, hash, at }: Omit<AuditAnchor, 'signature'>): string {
  return JSON.stringify([tenant, n, hash, at]);
}

/**
 * From a file: one anchor, a list of them, `{ "anchors": […] }`, or events `audit.anchored`. Null for anything
 * else.
 */
export function parseAnchors(text: string): readonly AuditAnchor[] | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const listed = fieldOf(value, 'anchors') ?? value;
  const anchors = (Array.isArray(listed) ? listed : [listed]).map((each) =>
    readAnchor(fieldOf(fieldOf(each, 'data'), 'anchor') ?? each),
  );
  return anchors.length === 0 || anchors.includes(null) ? null : (anchors as AuditAnchor[]);
}

/** Null for an invalid anchor. */
function readAnchor(value: unknown): AuditAnchor | null {
  const [tenant, n, hash, at] = ['tenant', 'n', 'hash', 'at'].map((name) => fieldOf(value, name));
  const signature = fieldOf(value, 'signature');
  const keyId = fieldOf(signature, 'keyId');
  const text = fieldOf(signature, 'value');
  if (typeof tenant !== 'string' || typeof at !== 'string') return null;
  if (!Number.isSafeInteger(n) || (n as number) < 1) return null;
  if (typeof hash !== 'string' || !/^[0-9a-f]{64}$/.test(hash)) return null;
  if (typeof keyId !== 'string' || typeof text !== 'string') return null;
  if (fieldOf(signature, 'algorithm') !== 'Ed25519') return null;
  return {
    tenant,
    n: n as number,
    hash,
    at,
    signature: { keyId, algorithm: 'Ed25519', value: text },
  };
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? (value as Record<string, unknown>)[name]
    : undefined;
}
