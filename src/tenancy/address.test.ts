/** Which addresses count as one client. */

import { expect, test } from 'bun:test';
import { isIPv4, isIPv6 } from 'node:net';
import fc from 'fast-check';
import { TEST_SEED } from '../testing/test-seed.ts';
import { addressKey, siteKey } from './address.ts';

const seeded = { seed: TEST_SEED, numRuns: 2_000 };

const CASES: readonly (readonly [string, string])[] = [
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::FFFF:c000:201', '192.0.2.1'],
  ['0:0:0:0:0:ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:DB8:0:0:ffff:ffff:ffff:ffff', '2001:db8:0:0::/64'],
  ['2001:db8:0:1::1', '2001:db8:0:1::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['1:2:3:4:5:6:7::', '1:2:3:4::/64'],
  ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
];

const NONE: readonly string[] = [
  '',
  'localhost',
  '1.2.3',
  '1.2.3.4.5',
  '01.2.3.4',
  '256.1.1.1',
  '1.2.3.4:80',
  ' 1.2.3.4',
  '1:2:3:4:5:6:7',
  '1:2:3:4:5:6:7:8:9',
  '1::2::3',
  ':::',
  '12345::',
  'g::',
  '1.2.3.4::',
  '1:2:3:4:5:6:7:8::',
  '[::1]',
  '::ffff:1.2.3',
];

for (const [address, key] of CASES) {
  test(`[H5] ${address} counts as ${key}`, () => expect(addressKey(address)).toBe(key));
}

test('[H5] all texts that are not addresses count as one', () => {
  for (const text of NONE) expect(addressKey(text)).toBe('unknown');
});

test(`[H5] it accepts as addresses what Node accepts, and only that (seed ${TEST_SEED})`, () => {
  const texts = fc.oneof(fc.ipV4(), fc.ipV6(), fc.stringMatching(/^[0-9a-f:.]{0,20}$/));
  fc.assert(
    fc.property(texts, (text) => {
      const isAddress = isIPv4(text) || isIPv6(text);
      return (addressKey(text) !== 'unknown') === isAddress;
    }),
    seeded,
  );
});

test(`[H5] addresses of one /64 are one client, others are not (seed ${TEST_SEED})`, () => {
  const group = fc.nat({ max: 0xffff });
  const half = fc.tuple(group, group, group, group);
  const write = (groups: readonly number[]): string => groups.map((g) => g.toString(16)).join(':');
  fc.assert(
    fc.property(half, half, half, half, (network, other, host, guest) => {
      const isSame = write(network) === write(other);
      const keys = [write([...network, ...host]), write([...other, ...guest])].map(addressKey);
      fc.pre(keys.every((key) => key.endsWith('/64')));
      return (keys[0] === keys[1]) === isSame;
    }),
    seeded,
  );
});

test('[D2] the /48 of an IPv6 address is its site, and IPv4 has none', () => {
  expect(siteKey('2001:db8:1:2::3')).toBe('2001:db8:1::/48');
  expect(siteKey('::1')).toBe('0:0:0::/48');
  for (const none of ['192.0.2.1', '::ffff:192.0.2.1', 'localhost', '']) {
    expect(siteKey(none)).toBeNull();
  }
});
