/** Attacks on passkeys: replayed, foreign, altered and copied responses. */

import { afterAll, expect, test } from 'bun:test';
import { createCredential, type Lies } from '../../testing/devices/software-authenticator.ts';
import { makeMember, openDashboard, PASSWORD } from '../../testing/service/dashboard-browser.ts';
import { PUBLIC_URL } from '../../testing/service/http-service.ts';
import { add, loginBy, offerFor, signIn, stranger } from './passkeys.test-kit.ts';

const { world, owner } = await openDashboard();
afterAll(() => world.close());

const emailOf = (name: string) => `${name}@example.test`;
const member = (name: string) => makeMember(world, owner, 'acme', 'developer', emailOf(name));
const codeOf = ({ status, headers }: { status: number; headers: Headers }) =>
  [status, headers.get('x-error-code')] as const;

test('[D5a] a signature signs in once; a repeat, a concurrent one and one from another browser are refused', async () => {
  const ann = await member('ann');
  const { credential } = await add(ann);
  const browser = stranger(world);
  const passkey = await signIn(browser, credential);
  const body = { passkey };
  // Without the challenge that the browser stored it is refused.
  expect(codeOf(await stranger(world).ask('/passkey/login', { body }))).toEqual([
    409,
    'challenge_expired',
  ]);
  const race = await Promise.all(
    Array.from({ length: 4 }, () => browser.ask('/passkey/login', { body })),
  );
  expect(race.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401]);
  expect(codeOf(await browser.ask('/passkey/login', { body }))).toEqual([401, 'wrong_passkey']);
  // Also refused as a second factor.
  const login = { email: emailOf('ann'), password: PASSWORD, passkey };
  expect(codeOf(await browser.ask('/login', { body: login }))).toEqual([401, 'wrong_login']);
});

test('[D5a] a challenge is valid for five minutes and only for the browser that requested it', async () => {
  const bob = await member('bob');
  const { credential } = await add(bob);
  const browser = stranger(world);
  const early = await signIn(browser, credential);
  world.clock.skip(5 * 60_000 - 1);
  expect((await browser.ask('/passkey/login', { body: { passkey: early } })).status).toBe(200);
  const late = await signIn(browser, credential);
  world.clock.skip(5 * 60_000);
  expect(codeOf(await browser.ask('/passkey/login', { body: { passkey: late } }))).toEqual([
    409,
    'challenge_expired',
  ]);
  // One browser's challenge sent from another: each browser has its own.
  const [one, two] = [stranger(world), stranger(world)];
  const signed = await signIn(one, credential);
  await two.ask('/passkey/offer', { method: 'POST' });
  expect(codeOf(await two.ask('/passkey/login', { body: { passkey: signed } }))).toEqual([
    401,
    'wrong_passkey',
  ]);
  // A registration is bound to the session that requested it.
  const offer = await offerFor(bob);
  const { answer: passkey } = createCredential(offer.options, PUBLIC_URL);
  const other = stranger(world);
  await loginBy(other, credential);
  const body = { sealed: offer.sealed, name: 'Key', passkey };
  expect(codeOf(await other.ask('/me/passkeys', { body }))).toEqual([409, 'challenge_expired']);
});

const LIES: Readonly<Record<string, Lies>> = {
  'another origin': { origin: 'https://evil.example' },
  'a subdomain as origin': { origin: PUBLIC_URL.replace('//', '//x.') },
  'another port': { origin: `${PUBLIC_URL}:8443` },
  'another rpId': { rpId: 'evil.example' },
  'another challenge': { challenge: Buffer.alloc(32, 7).toString('base64url') },
  'a frame of another site': { crossOrigin: true },
  'a purpose of its own': { type: 'payment.get' },
  'no user verification': { flags: 1 },
  'nobody present': { flags: 4 },
  'another account': { userHandle: Buffer.from('acc_other').toString('base64url') },
};

test('[D5a] a response with one altered field is refused, for signing in and for adding', async () => {
  const cem = await member('cem');
  const { credential } = await add(cem);
  for (const [what, lies] of Object.entries(LIES)) {
    const browser = stranger(world);
    const answer = await loginBy(browser, credential, lies);
    expect([what, ...codeOf(answer)]).toEqual([what, 401, 'wrong_passkey']);
    expect((await browser.ask('/me')).status).toBe(401);
    expect((await loginBy(browser, credential)).status).toBe(200);
    if (what === 'another account') continue;
    const flags = lies.flags === undefined ? {} : { flags: lies.flags | 64 };
    const added = (await add(cem, { lies: { ...lies, ...flags } })).answer;
    expect([what, ...codeOf(added)]).toEqual([what, 401, 'wrong_passkey']);
  }
  expect((await cem.ask('/me/passkeys')).json['data']).toHaveLength(1);
});

test('[D5a] a signature of one account is not accepted as a second factor of another', async () => {
  const [dan, eve] = [await member('dan'), await member('eve')];
  const { credential } = await add(dan);
  await add(eve);
  const browser = stranger(world);
  const passkey = await signIn(browser, credential);
  const body = { email: emailOf('eve'), password: PASSWORD, passkey };
  expect(codeOf(await browser.ask('/login', { body }))).toEqual([401, 'wrong_passkey']);
  // Nor with the other account's handle, or under its credential.
  const { id } = (await world.store.findAccountByEmail(emailOf('eve')))!;
  const userHandle = Buffer.from(id).toString('base64url');
  const [own] = await world.store.listPasskeys(id);
  for (const lie of [{ userHandle }, { userHandle, id: own!.credential }]) {
    const signed = await signIn(browser, credential, { userHandle });
    const answer = { ...signed, id: lie.id ?? signed.id };
    expect((await browser.ask('/passkey/login', { body: { passkey: answer } })).status).toBe(401);
  }
  expect((await browser.ask('/me')).status).toBe(401);
});

test('[D5a] a signature counter that goes back is refused and audited; a response with an invalid signature is only refused', async () => {
  const fay = await member('fay');
  const { credential } = await add(fay, { counts: true });
  const browser = stranger(world);
  expect((await loginBy(browser, credential, { counter: 40 })).status).toBe(200);
  const { id } = (await world.store.findAccountByEmail(emailOf('fay')))!;
  const [key] = await world.store.listPasskeys(id);
  expect(key).toMatchObject({ counter: 40 });
  const backs = async () =>
    (await world.audit()).filter(
      ({ act, object }) => act === 'passkey.counter_went_back' && object === key!.id,
    ).length;
  for (const counter of [40, 39, 0]) {
    const answer = await loginBy(stranger(world), credential, { counter });
    expect([counter, ...codeOf(answer)]).toEqual([counter, 401, 'wrong_passkey']);
  }
  expect(await backs()).toBe(3);
  const other = stranger(world);
  const forged = await signIn(other, { ...credential, counter: 0 }, { counter: 39 });
  const signature = Buffer.from(forged.response.signature, 'base64url');
  signature[12]! ^= 1;
  const response = { ...forged.response, signature: signature.toString('base64url') };
  const body = { passkey: { ...forged, response } };
  expect((await other.ask('/passkey/login', { body })).status).toBe(401);
  expect(await backs()).toBe(3);
  expect((await loginBy(stranger(world), credential, { counter: 41 })).status).toBe(200);
});

test('[D5a] certificates are not evaluated: an attestation that has some is refused', async () => {
  const gus = await member('gus');
  const x5c = [Buffer.from('3000', 'hex')];
  const formats = [
    { fmt: 'packed', attStmt: { alg: -7, sig: new Uint8Array(64), x5c } },
    { fmt: 'apple', attStmt: { x5c } },
    { fmt: 'android-key', attStmt: { alg: -7, sig: new Uint8Array(64), x5c } },
    { fmt: 'tpm', attStmt: {} },
    { fmt: 'none', attStmt: { x5c } },
  ];
  for (const attestation of formats) {
    const { answer } = await add(gus, { lies: { attestation } });
    expect([attestation.fmt, ...codeOf(answer)]).toEqual([attestation.fmt, 401, 'wrong_passkey']);
  }
});

test('[D2][D5a] an unknown account is answered like a known one, and each credential is limited', async () => {
  const hal = await member('hal');
  const { credential } = await add(hal);
  const unknown = { ...credential, id: Buffer.alloc(32, 3).toString('base64url') };
  const statuses = async (of: typeof credential, lies: Lies) => {
    const browser = stranger(world);
    const all: unknown[] = [];
    for (let i = 0; i < 7; i++) {
      const { status, text } = await loginBy(browser, of, lies);
      all.push([status, text]);
    }
    return all;
  };
  const known = await statuses(credential, { origin: 'https://evil.example' });
  expect(await statuses(unknown, {})).toEqual(known);
  expect(known.map((each) => (each as [number])[0])).toEqual([401, 401, 401, 401, 401, 429, 429]);
  // The options to sign reveal nothing about any account.
  const offer = await stranger(world).ask('/passkey/offer', { method: 'POST' });
  expect(offer.json).toEqual({
    options: {
      rpId: 'play.example.test',
      challenge: expect.any(String),
      timeout: 300_000,
      userVerification: 'required',
      allowCredentials: [],
    },
  });
  expect(offer.headers.get('set-cookie')).toMatch(
    /^__Host-matchd-passkey=[\w-]+; Path=\/; HttpOnly; SameSite=Strict; Secure; Max-Age=300$/,
  );
});
