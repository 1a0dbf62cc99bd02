/** The verification of webhooks, against the standard's own library. */

import { describe, expect, test } from 'bun:test';
import { Webhook } from 'standardwebhooks';
import { signWebhook, verifyWebhook } from './webhook.ts';

const SECRET = `whsec_${Buffer.from('0123456789abcdef01234567').toString('base64')}`;
const OTHER = `whsec_${Buffer.from('fedcba9876543210fedcba98').toString('base64')}`;
const BODY = '{"id":"evt_1","type":"session.ended","data":{"é":1}}';

/** Headers as the standard's library signs them. */
function standardHeaders(secret = SECRET, at = new Date()): Record<string, string> {
  return {
    'webhook-id': 'evt_1',
    'webhook-timestamp': `${Math.floor(at.getTime() / 1_000)}`,
    'webhook-signature': new Webhook(secret).sign('evt_1', at, BODY),
  };
}

const codeOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'taken',
    (error: { readonly code?: string; readonly name: string }) => error.code ?? error.name,
  );

describe('a webhook', () => {
  test('[E2] signed by the standard’s library is accepted, as text, bytes and with any kind of headers', async () => {
    const headers = standardHeaders();
    const bytes = new TextEncoder().encode(BODY);
    const listed = Object.fromEntries(
      Object.entries(headers).map(([name, each]) => [name, [each]]),
    );
    expect(await verifyWebhook({ secret: SECRET, headers, body: BODY })).toMatchObject({
      id: 'evt_1',
      type: 'session.ended',
    });
    for (const each of [headers, new Headers(headers), listed]) {
      expect(await codeOf(verifyWebhook({ secret: SECRET, headers: each, body: bytes }))).toBe(
        'taken',
      );
    }
  });

  test('[E2] signed here is accepted by the standard’s library', async () => {
    const headers = await signWebhook({ secret: SECRET, id: 'evt_1', body: BODY });
    expect(new Webhook(SECRET).verify(BODY, headers)).toMatchObject({ id: 'evt_1' });
  });

  test('[E2] during a rotation is accepted with either secret, on either side', async () => {
    const [a, b] = [standardHeaders(OTHER), standardHeaders(SECRET)];
    const both = `${a['webhook-signature']} ${b['webhook-signature']}`;
    const headers = { ...a, 'webhook-signature': both };
    expect(await codeOf(verifyWebhook({ secret: SECRET, headers, body: BODY }))).toBe('taken');
    const secrets = [SECRET, OTHER];
    expect(await codeOf(verifyWebhook({ secret: secrets, headers: a, body: BODY }))).toBe('taken');
  });

  test('[E2] that is changed, unsigned, another’s or of an unknown version is refused', async () => {
    const headers = standardHeaders();
    const signature = headers['webhook-signature']!;
    const wrong: Record<string, string>[] = [
      standardHeaders(OTHER),
      { ...headers, 'webhook-id': 'evt_2' },
      { ...headers, 'webhook-timestamp': 'soon' },
      { ...headers, 'webhook-timestamp': `${Number(headers['webhook-timestamp']) + 1}` },
      { ...headers, 'webhook-signature': signature.replace('v1,', 'v2,') },
      { ...headers, 'webhook-signature': 'v1,%%%' },
      { ...headers, 'webhook-signature': 'v1,' },
      { ...headers, 'webhook-signature': '' },
      {},
    ];
    for (const each of wrong) {
      const delivery = { secret: SECRET, headers: each, body: BODY };
      expect(await codeOf(verifyWebhook(delivery))).toBe('webhook_signature');
    }
    const changed = { secret: SECRET, headers, body: BODY.replace('1', '2') };
    expect(await codeOf(verifyWebhook(changed))).toBe('webhook_signature');
  });

  test('[E2] an old webhook, or one from the future, has its own error code', async () => {
    for (const away of [-301_000, 302_000]) {
      const headers = standardHeaders(SECRET, new Date(Date.now() + away));
      const delivery = { secret: SECRET, headers, body: BODY };
      expect(await codeOf(verifyWebhook(delivery))).toBe('webhook_too_old');
      expect(await codeOf(verifyWebhook({ ...delivery, toleranceS: 400 }))).toBe('taken');
    }
  });

  test('[E2] without a secret, or with a parsed body, the error says what is wrong', async () => {
    const headers = standardHeaders();
    const empty = verifyWebhook({ secret: '', headers, body: BODY });
    await expect(empty).rejects.toThrow('secret is required');
    const parsed = verifyWebhook({ secret: SECRET, headers, body: JSON.parse(BODY) });
    await expect(parsed).rejects.toThrow('not what was parsed');
  });
});
