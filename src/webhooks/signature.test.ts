/** Our signatures against the standard's own library. */

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { TEST_SEED } from '../testing/test-seed.ts';
import { makeSecret, parseSecret, rotateSecrets, signWebhook } from './signature.ts';

/** The library compares with the machine's clock. */
const now = Date.now();
const secretOf = (fill: number, length = 32) => makeSecret(new Uint8Array(length).fill(fill));
const one = (text: string) => [{ text, expiresAt: null }];

test('[E2] the example of the specification is reproduced', () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const headers = signWebhook(
    'msg_p5jXN8AQM9LWM0D4loKWxJek',
    '{"test": 2432232314}',
    one(secret),
    1_614_265_330_000,
  );
  expect(headers['webhook-timestamp']).toBe('1614265330');
  expect(headers['webhook-signature']).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
});

test(`[E2] the standard's library verifies our signatures (seed ${TEST_SEED})`, () => {
  const bytes = fc.uint8Array({ minLength: 24, maxLength: 64 });
  fc.assert(
    fc.property(bytes, fc.json(), fc.uuid(), (key, body, id) => {
      const secret = makeSecret(key);
      const headers = { ...signWebhook(id, body, one(secret), now) };
      expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
      const other = new Webhook(makeSecret(key.map((byte) => byte ^ 1)));
      expect(() => other.verify(body, headers)).toThrow();
      expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow();
    }),
    { seed: TEST_SEED, numRuns: 200 },
  );
});

test('[E2] during a rotation both secrets sign, afterwards only the new one', () => {
  const rotated = rotateSecrets(one(secretOf(1)), secretOf(2), now + 1_000);
  const headers = { ...signWebhook('evt_1', '{}', rotated, now) };
  expect(headers['webhook-signature'].split(' ').length).toBe(2);
  for (const fill of [1, 2]) new Webhook(secretOf(fill)).verify('{}', headers);
  const later = { ...signWebhook('evt_1', '{}', rotated, now + 1_000) };
  expect(later['webhook-signature'].split(' ').length).toBe(1);
  new Webhook(secretOf(2)).verify('{}', later);
  expect(() => new Webhook(secretOf(1)).verify('{}', later)).toThrow();
  const twice = rotateSecrets(rotated, secretOf(3), now + 2_000);
  expect(twice.map(({ text }) => text)).toEqual([secretOf(3), secretOf(2)]);
});

test('[E2] a secret is whsec_ and the base64 of 24 to 64 bytes', () => {
  for (const length of [24, 25, 32, 64]) {
    expect(parseSecret(secretOf(7, length))).toEqual(new Uint8Array(length).fill(7));
  }
  const wrong = ['', 'whsec_', secretOf(1, 23), secretOf(1, 65), secretOf(1).slice(6)];
  wrong.push(`${secretOf(1)}=`, 'whsec_!!!!', secretOf(1).replace('whsec', 'WHSEC'));
  for (const text of wrong) expect([text, parseSecret(text)]).toEqual([text, null]);
  expect(() => signWebhook('evt_1', '{}', [], now)).toThrow();
  expect(() => signWebhook('evt_1', '{}', one('whsec_x'), now)).toThrow();
});
