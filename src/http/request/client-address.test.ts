/** The client's address, behind trusted and untrusted proxies (rule H5). */

import { expect, test } from 'bun:test';
import { makeClientAddress } from './client-address.ts';

const PROXIES = ['10.0.0.0/8', '192.0.2.1', 'fd00::/8'];

const CASES: readonly (readonly [string, string, string | null, string])[] = [
  ['nothing forwarded', '10.0.0.1', null, '10.0.0.1'],
  ['one hop', '10.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['not from a proxy', '203.0.113.1', '198.51.100.1', '203.0.113.1'],
  ['two proxies', '10.0.0.1', '198.51.100.1, 10.9.9.9', '198.51.100.1'],
  ['a made-up first hop', '10.0.0.1', '1.1.1.1, 198.51.100.1', '198.51.100.1'],
  ['all ours', '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
  ['nonsense behind a proxy', '10.0.0.1', '198.51.100.1, nonsense', '10.0.0.1'],
  ['an empty header', '10.0.0.1', '', '10.0.0.1'],
  ['with a port', '192.0.2.1', '198.51.100.1:4711', '198.51.100.1'],
  ['IPv6', 'fd00::1', '2001:db8::7', '2001:db8::7'],
  ['IPv6 with a port', 'fd00::1', '[2001:db8::7]:443', '2001:db8::7'],
  ['IPv4 in IPv6', '::ffff:10.0.0.1', '198.51.100.1', '198.51.100.1'],
];

test.each(CASES)('[H5] %s', (_, address, forwarded, client) => {
  const clientAddress = makeClientAddress(PROXIES);
  const headers: Record<string, string> =
    forwarded === null ? {} : { 'x-forwarded-for': forwarded };
  expect(clientAddress(new Request('http://x.test', { headers }), { address })).toBe(client);
});

test("[H5] without proxies it is the connection's address", () => {
  const clientAddress = makeClientAddress([]);
  const request = new Request('http://x.test', { headers: { 'x-forwarded-for': '1.1.1.1' } });
  expect(clientAddress(request, { address: '203.0.113.1' })).toBe('203.0.113.1');
});

test.each(['proxy.local', '10.0.0.0/33', 'fd00::/129', '10.0.0.0/', '10.0.0.0/x'])(
  '[H5] %s is not a valid proxy',
  (proxy) => expect(() => makeClientAddress([proxy])).toThrow('trustedProxies'),
);
