/** When a known key is valid. */

import { expect, test } from 'bun:test';
import { type HeldKey, refuseKey } from './key-check.ts';

const NOW = 1_000_000;

function held(
  change: Partial<HeldKey['key'] & { secretExpiresAt: number | null; active: boolean }> = {},
): HeldKey {
  const { revokedAt = null, expiresAt = null, secretExpiresAt = null, active = true } = change;
  return {
    key: { revokedAt, expiresAt },
    tenant: { active },
    secret: { expiresAt: secretExpiresAt },
  };
}

test('[K2] a key is valid until it expires, not at that moment and not after', () => {
  expect(refuseKey(held(), NOW)).toBeNull();
  expect(refuseKey(held({ expiresAt: NOW + 1 }), NOW)).toBeNull();
  expect(refuseKey(held({ expiresAt: NOW }), NOW)).toBe('expired');
  expect(refuseKey(held({ expiresAt: NOW - 1 }), NOW)).toBe('expired');
});

test('[K2] a secret that was rotated away ends with its overlap', () => {
  expect(refuseKey(held({ secretExpiresAt: NOW + 1 }), NOW)).toBeNull();
  expect(refuseKey(held({ secretExpiresAt: NOW }), NOW)).toBe('secret_expired');
});

test('[K2] a revoked key is invalid at any time', () => {
  expect(refuseKey(held({ revokedAt: NOW - 1 }), NOW)).toBe('revoked');
  expect(refuseKey(held({ revokedAt: NOW + 1 }), NOW)).toBe('revoked');
});

test('[K2] no key of a suspended tenant is valid', () => {
  expect(refuseKey(held({ active: false }), NOW)).toBe('tenant_inactive');
});
