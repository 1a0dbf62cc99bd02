/** Authenticator responses: valid ones are accepted, and those with one changed bit are refused. */

import { expect, test } from 'bun:test';
import type { Account, Passkey } from '../../accounts/account.ts';
import { type RelyingParty, relyingPartyOf } from '../../accounts/relying-party.ts';
import { createCredential, signWith } from '../../testing/devices/software-authenticator.ts';
import { makeSeededChance } from '../../testing/seeded-chance.ts';
import { TEST_SEED } from '../../testing/test-seed.ts';
import { creationOptions, requestOptions, verifyRegistration, verifySignIn } from './webauthn.ts';

const PARTY: RelyingParty = { id: 'play.example.test', origin: 'https://play.example.test' };
const CHALLENGE = Buffer.alloc(32, 9).toString('base64url');
const ACCOUNT: Account = {
  id: 'acc_01',
  email: 'ann@example.test',
  name: 'Ann',
  passwordHash: 'phc',
  isOperator: false,
  totpSecret: null,
  totpStep: 0,
  passkeyRevision: 0,
  createdAt: 0,
};

async function makePasskey(kind: 'ES256' | 'Ed25519') {
  const asked = creationOptions(PARTY, CHALLENGE, ACCOUNT, []);
  const { credential, answer } = createCredential(asked, PARTY.origin, { kind, counts: true });
  const made = await verifyRegistration(PARTY, CHALLENGE, answer);
  if (made === null) throw new Error('an honest answer was refused');
  const rest = { id: 'psk_1', account: ACCOUNT.id, name: 'Key', createdAt: 0, lastUsedAt: null };
  const passkey: Passkey = { ...made, ...rest };
  return { credential, answer, passkey };
}

/** The same text with one bit of the decoded value flipped. */
function flip(text: string, chance: () => number): string {
  const bytes = Buffer.from(text, 'base64url');
  const bit = Math.floor(chance() * bytes.length * 8);
  bytes[bit >> 3]! ^= 1 << (bit & 7);
  return bytes.toString('base64url');
}

for (const kind of ['ES256', 'Ed25519'] as const) {
  test(`[D5a] of 4,000 signatures of ${kind} with one bit flipped none is accepted, seed ${TEST_SEED}`, async () => {
    const chance = makeSeededChance(TEST_SEED);
    const { credential, passkey } = await makePasskey(kind);
    const honest = signWith(credential, requestOptions(PARTY, CHALLENGE), PARTY.origin);
    expect(await verifySignIn(PARTY, CHALLENGE, passkey, honest)).toBe(2);
    const parts = ['clientDataJSON', 'authenticatorData', 'signature', 'userHandle'] as const;
    for (let i = 0; i < 4_000; i++) {
      const part = parts[i % parts.length]!;
      const response = { ...honest.response, [part]: flip(honest.response[part], chance) };
      const answer = { ...honest, response };
      expect([part, await verifySignIn(PARTY, CHALLENGE, passkey, answer)]).toEqual([part, null]);
    }
    for (let i = 0; i < 1_000; i++) {
      const other = { ...passkey, publicKey: flip(passkey.publicKey, chance) };
      const counter = await verifySignIn(PARTY, CHALLENGE, other, honest);
      // A key's optional parts may change: the signing key is still the same.
      if (counter !== null) expect(counter).toBe(2);
    }
  }, 60_000);

  test(`[D5a] of 2,000 new credentials of ${kind} with one bit flipped none does harm, seed ${TEST_SEED}`, async () => {
    const chance = makeSeededChance(TEST_SEED);
    const { answer } = await makePasskey(kind);
    for (let i = 0; i < 1_000; i++) {
      const clientDataJSON = flip(answer.response.clientDataJSON, chance);
      const changed = { ...answer, response: { ...answer.response, clientDataJSON } };
      // A new credential is not signed: another encoding may have the same meaning.
      const made = await verifyRegistration(PARTY, CHALLENGE, changed);
      if (made !== null) expect(made.credential).toBe(answer.id);
    }
    for (let i = 0; i < 1_000; i++) {
      const attestationObject = flip(answer.response.attestationObject, chance);
      const changed = { ...answer, response: { ...answer.response, attestationObject } };
      const made = await verifyRegistration(PARTY, CHALLENGE, changed);
      if (made !== null) expect(made.credential).toBe(answer.id);
    }
  }, 60_000);
}

test('[D5a] passkeys work for the public address only, and for localhost in development', () => {
  const cases: readonly (readonly [string, RelyingParty | null])[] = [
    ['https://play.example.test', PARTY],
    [
      'https://play.example.test:8443',
      { id: 'play.example.test', origin: 'https://play.example.test:8443' },
    ],
    ['http://127.0.0.1:8080', { id: 'localhost', origin: 'http://localhost:8080' }],
    ['http://[::1]:8080', { id: 'localhost', origin: 'http://localhost:8080' }],
    ['http://localhost:8080', { id: 'localhost', origin: 'http://localhost:8080' }],
    ['http://play.example.test', null],
    ['https://192.0.2.7', null],
    ['http://192.0.2.7:8080', null],
    ['https://[2001:db8::1]', null],
  ];
  for (const [url, party] of cases) expect([url, relyingPartyOf(url)]).toEqual([url, party]);
});
