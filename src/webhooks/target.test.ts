/** Which targets webhooks may have, and above all which not. */

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { TEST_SEED } from '../testing/test-seed.ts';
import { isLoopback, isPublicAddress } from './address.ts';
import { describeTargets, mayConnect, parseTarget } from './target.ts';

const PUBLIC = { allowLocal: false };
const LOCAL = { allowLocal: true };

/** Every address that is not of the public internet, one or more of each network. */
const INNER = [
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '10.255.255.255',
  '100.64.0.1',
  '100.127.255.255',
  '100.100.100.200',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '169.254.170.2',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.1',
  '192.0.0.192',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.0.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.7',
  '203.0.113.7',
  '224.0.0.1',
  '239.255.255.250',
  '240.0.0.1',
  '255.255.255.255',
  '168.63.129.16',
  '192.52.193.1',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '::127.0.0.1',
  '::8.8.8.8',
  '64:ff9b::7f00:1',
  '64:ff9b::8.8.8.8',
  '64:ff9b:1::1',
  '100::1',
  '2001::1',
  '2001:1::1',
  '2001:2::1',
  '2001:10::1',
  '2001:20::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '2002:a00:1::1',
  '3fff::1',
  '5f00::1',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fec0::1',
  'ff02::1',
  'ff0e::1',
  '3ffe::1',
  '3ffe:ffff::8',
  '2001:0:4136:e378:8000:63bf:3fff:fdd2',
  '2620:4f:8000::1',
  '2001:30::1',
  '100:0:0:1::1',
  '2d00::1',
  '3800::1',
  '192.31.196.1',
  '192.175.48.1',
  '233.252.0.1',
  '64:ff9b:1:fffe::1',
  '2606:4700::5efe:127.0.0.1',
  '2606:4700::200:5efe:a00:1',
  '::ffff:0:127.0.0.1',
  '4000::1',
];
const OUTER = [
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '128.0.0.1',
  '169.253.255.255',
  '172.15.255.255',
  '172.32.0.0',
  '192.0.1.1',
  '198.20.0.1',
  '223.255.255.255',
  '2606:4700:4700::1111',
  '2a00:1450:4001:82a::200e',
  '2001:200::1',
];

describe('addresses', () => {
  test('[E3] an address outside the public internet is not public', () => {
    for (const address of INNER)
      expect([address, isPublicAddress(address)]).toEqual([address, false]);
  });

  test('[E3] a public address is public', () => {
    for (const address of OUTER)
      expect([address, isPublicAddress(address)]).toEqual([address, true]);
  });

  test('[E3] a text that is not an address in its usual form is not public', () => {
    const odd = ['', 'localhost', '1.1.1', '01.1.1.1', '1.1.1.1.', ' 1.1.1.1', '256.1.1.1'];
    odd.push('2606:4700::1%eth0', '2606:4700::1::2', '2606:4700:4700:0:0:0:0:0:1', '[2606::1]');
    odd.push('2606:47000::1', '2606:4700:1.1.1.1::', '0x1.1.1.1', '2130706433');
    for (const text of odd) expect([text, isPublicAddress(text)]).toEqual([text, false]);
  });

  test(`[E3] an IPv4 address is never public in an IPv6 wrapping (seed ${TEST_SEED})`, () => {
    const octet = fc.nat(255);
    fc.assert(
      fc.property(octet, octet, octet, octet, (a, b, c, d) => {
        const [high, low] = [a * 256 + b, c * 256 + d].map((n) => n.toString(16));
        const wrapped = ['::', '::ffff:', '64:ff9b::', '64:ff9b:1::', '2001::', 'fe80::5efe:'];
        expect(wrapped.some((each) => isPublicAddress(`${each}${high}:${low}`))).toBe(false);
        expect(isPublicAddress(`2002:${high}:${low}::1`)).toBe(false);
      }),
      { seed: TEST_SEED, numRuns: 500 },
    );
  });
});

describe('URLs outside development', () => {
  const refused = (text: string) => parseTarget(text, PUBLIC) === null;

  test('[E3] https on 443 and 8443 of a public host is accepted', () => {
    const right = [
      'https://example.com',
      'https://example.com:443/a?b=c',
      'https://a.b.example:8443/',
    ];
    right.push('https://1.1.1.1/x', 'https://[2606:4700:4700::1111]/x', 'HTTPS://EXAMPLE.com./x');
    right.push('https://bücher.example/x', 'https://localhost.example.com/');
    for (const text of right) expect([text, refused(text)]).toEqual([text, false]);
    expect(parseTarget('https://[2606:4700:4700::1111]:8443/a?b', PUBLIC)).toEqual({
      url: 'https://[2606:4700:4700::1111]:8443/a?b',
      isSecure: true,
      host: '[2606:4700:4700::1111]:8443',
      hostname: '2606:4700:4700::1111',
      port: 8443,
      path: '/a?b',
      isAddress: true,
    });
  });

  test('[E3] other schemes, ports, user names, fragments and odd texts are refused', () => {
    const wrong = [
      '',
      'x',
      '//example.com',
      'example.com',
      'http://example.com',
      'ftp://example.com',
    ];
    wrong.push('https://example.com:22', 'https://example.com:80', 'https://example.com:0');
    wrong.push('https://a@example.com', 'https://a:b@example.com', 'https://example.com/#x');
    wrong.push('https://example.com/#', 'file:///etc/passwd', 'gopher://example.com:443/');
    wrong.push('https:\\\\example.com', 'https://exa\tmple.com', 'https://example.com/a b');
    wrong.push('https://example.com\n', `https://example.com/${'a'.repeat(2_048)}`, 'https://');
    wrong.push('https://example.com%00.evil.com', 'javascript:alert(1)', 'https://[::1');
    for (const text of wrong) expect([text, refused(text)]).toEqual([text, true]);
  });

  test('[E3] internal addresses are refused in every spelling', () => {
    for (const address of INNER) {
      const host = address.includes(':') ? `[${address}]` : address;
      expect([host, refused(`https://${host}/`)]).toEqual([host, true]);
    }
    const spellings = ['2130706433', '0x7f000001', '0x7f.1', '0177.0.0.1', '127.1', '127.0.1'];
    spellings.push('0', '0x0', '00.00.00.00', '017700000001', '0x7f.0x0.0x0.0x1', '127.0.0.1.');
    spellings.push('１２７.０.０.１', '127。0。0。1', '①②⑦.⓪.⓪.①', '3232235521', '0xa9fea9fe');
    spellings.push('[::ffff:7f00:1]', '[0:0:0:0:0:ffff:7f00:0001]', '[::FFFF:127.0.0.1]');
    spellings.push(
      '[0000:0000:0000:0000:0000:0000:0000:0001]',
      '[fe80::1%25eth0]',
      '%31%32%37.0.0.1',
    );
    for (const host of spellings) expect([host, refused(`https://${host}/`)]).toEqual([host, true]);
  });

  test('[E3] names of this machine and of internal networks are refused', () => {
    const names = ['localhost', 'LOCALHOST', 'localhost.', 'a.localhost', 'db', 'printer.local'];
    names.push('metadata.google.internal', 'x.home.arpa', 'wiki.intranet', 'a.localdomain.');
    names.push(
      'ｌｏｃａｌｈｏｓｔ',
      'matchd.default.svc',
      'api.default.svc.cluster.local',
      'x.cluster.local.',
    );
    names.push('API.Default.SVC', 'api.default.svc.', 'a.pod', 'db.lan', 'router.home');
    names.push('nas.corp', 'x.private', 'a.onion', 'a.alt', 'a.consul');
    names.push('1.168.192.in-addr.arpa', 'com.', 'a..example.com', 'example.com..', '.example.com');
    for (const name of names) expect([name, refused(`https://${name}/`)]).toEqual([name, true]);
  });

  test('[E3] a name is refused when any of its addresses is internal', () => {
    const target = parseTarget('https://example.com/', PUBLIC)!;
    expect(mayConnect(target, ['1.1.1.1', '2606:4700:4700::1111'], PUBLIC)).toBe(true);
    expect(mayConnect(target, ['1.1.1.1', '10.0.0.1'], PUBLIC)).toBe(false);
    expect(mayConnect(target, ['::ffff:1.1.1.1'], PUBLIC)).toBe(false);
    expect(mayConnect(target, ['fe80::1%eth0'], PUBLIC)).toBe(false);
    expect(mayConnect(target, [], PUBLIC)).toBe(false);
    for (const address of INNER) expect(mayConnect(target, [address], PUBLIC)).toBe(false);
  });
});

describe('URLs in development', () => {
  test('[E3] this machine is allowed, on every port and without TLS, and no other internal target', () => {
    const right = [
      'http://localhost:3000/x',
      'http://127.0.0.1',
      'https://[::1]:9/',
      'https://a.example',
    ];
    for (const text of right)
      expect([text, parseTarget(text, LOCAL) === null]).toEqual([text, false]);
    const wrong = [
      'http://example.com',
      'http://10.0.0.1/',
      'http://169.254.169.254/',
      'https://db/',
    ];
    for (const text of wrong)
      expect([text, parseTarget(text, LOCAL) === null]).toEqual([text, true]);
    expect(describeTargets(LOCAL)).toContain('this machine');
  });

  test('[E3] a public name stays public there, and a local one local', () => {
    const outside = parseTarget('https://example.com/', LOCAL)!;
    expect(mayConnect(outside, ['127.0.0.1'], LOCAL)).toBe(false);
    const inside = parseTarget('http://localhost:1/', LOCAL)!;
    expect(mayConnect(inside, ['127.0.0.1', '::1'], LOCAL)).toBe(true);
    expect(mayConnect(inside, ['10.0.0.1'], LOCAL)).toBe(false);
    expect(mayConnect(inside, ['127.0.0.1'], PUBLIC)).toBe(false);
    expect(isLoopback('::ffff:127.0.0.1')).toBe(false);
  });
});
