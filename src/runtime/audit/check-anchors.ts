/** Verifies the signatures of several anchors with the available sealing keys. */

import { makeSigner } from '../signing/signer.ts';
import { type AuditAnchor, checkAnchor } from './audit-anchor.ts';

/** How many are signed with an unknown key; null when one was changed. */
export function checkAnchors(
  sealingKeys: readonly Uint8Array[],
  anchors: readonly AuditAnchor[],
): number | null {
  if (sealingKeys.length === 0) return anchors.length;
  const signer = makeSigner(sealingKeys);
  const checks = anchors.map((anchor) => checkAnchor(signer, anchor));
  return checks.includes('invalid')
    ? null
    : checks.filter((check) => check === 'unknown_key').length;
}
