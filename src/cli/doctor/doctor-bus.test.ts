/** `matchd doctor` on a bus with real servers. */

import { describe, expect, test } from 'bun:test';
import { isNatsHere, startNats } from '../../testing/servers/nats.ts';
import { checkBus } from './doctor-bus.ts';

test('[CLI] doctor: without a bus there is nothing to fix', async () => {
  expect(await checkBus([])).toMatchObject([{ check: 'bus', status: 'ok' }]);
});

describe.skipIf(!isNatsHere())('doctor and NATS', () => {
  test('[CLI] doctor: every server of the bus that does not answer is named, without passwords', async () => {
    const servers = await startNats(2, ['--user', 'matchd', '--pass', 'secret']);
    const urls = servers.urls.map((url) => url.replace('//', '//matchd:secret@'));
    const [first, second] = servers.urls.map((url) => url.replace('nats://', ''));
    expect(await checkBus(urls)).toMatchObject([
      { status: 'ok', found: expect.stringMatching(/^2 servers/) },
    ]);
    await servers.kill(0);
    const one = await checkBus(urls);
    expect(one).toMatchObject([{ status: 'warn' }]);
    expect(one[0]!.found).toStartWith(`${first}: `);
    await servers.kill(1);
    expect((await checkBus(urls)).map(({ status }) => status)).toEqual(['fail', 'fail']);
    await servers.start(1);
    const wrong = await checkBus([urls[1]!.replace('secret', 'guess')]);
    expect(wrong).toMatchObject([{ status: 'fail' }]);
    expect(wrong[0]!.found).toMatch(new RegExp(`^${second}: .*uthoriz`));
    expect(JSON.stringify([one, wrong])).not.toMatch(/secret|guess/);
    await servers.stop();
  }, 30_000);
});
