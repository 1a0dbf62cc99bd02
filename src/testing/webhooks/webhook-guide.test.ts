/** Runs the samples of the guide to webhooks. */

import { afterAll, expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeSecret, signWebhook } from '../../webhooks/signature.ts';
import { makeTempFolder, removeFolder } from '../temp-folder.ts';

const ROOT = join(import.meta.dirname, '../../..');
const GUIDE = readFileSync(join(ROOT, 'docs/guides/webhooks.md'), 'utf8');
const folder = makeTempFolder();
afterAll(() => removeFolder(folder));

type ReadEvent = (secret: string, headers: object, body: string) => unknown;

const samples = [...GUIDE.matchAll(/```js\n([\s\S]*?)```/g)].map(([, code]) => code!);

async function load(code: string, i: number): Promise<ReadEvent> {
  const file = join(folder, `sample-${i}.mjs`);
  // Outside the project the library cannot be resolved by name.
  const library = import.meta.resolve('standardwebhooks');
  writeFileSync(file, code.replace("'standardwebhooks'", JSON.stringify(library)));
  return ((await import(file)) as { readEvent: ReadEvent }).readEvent;
}

test("[E2] the guide's samples accept our requests and nothing else", async () => {
  expect(samples.length).toBe(2);
  const now = Date.now();
  const [oldSecret, secret, other] = [1, 2, 3].map((fill) =>
    makeSecret(new Uint8Array(32).fill(fill)),
  ) as [string, string, string];
  const both = [
    { text: secret, expiresAt: null },
    { text: oldSecret, expiresAt: now + 1_000 },
  ];
  const body = '{"type":"session.ended","name":"ü"}';
  const headers = { ...signWebhook('evt_1', body, both, now) };
  const old = { ...signWebhook('evt_1', body, both, now - 301_000) };
  for (const [i, code] of samples.entries()) {
    const readEvent = await load(code, i);
    for (const right of [secret, oldSecret]) {
      expect(readEvent(right, headers, body)).toEqual(JSON.parse(body));
    }
    expect(() => readEvent(other, headers, body)).toThrow();
    expect(() => readEvent(secret, headers, `${body} `)).toThrow();
    expect(() => readEvent(secret, { ...headers, 'webhook-id': 'evt_2' }, body)).toThrow();
    expect(() => readEvent(secret, { ...headers, 'webhook-timestamp': 'x' }, body)).toThrow();
    expect(() => readEvent(secret, { ...headers, 'webhook-signature': 'v1,' }, body)).toThrow();
    expect(() => readEvent(secret, old, body)).toThrow();
  }
});
