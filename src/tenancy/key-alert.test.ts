/** Rule K6: which use is unusual, and which raises no alert. */

import { expect, test } from 'bun:test';
import { networkOf } from './address.ts';
import { findKeyAlerts, type KeyFacts, type KeyUse } from './key-alert.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOW = 1_763_640_000_000;

const use: KeyUse = { key: 'key_a', at: NOW, lastUsedAt: NOW - 1_000, secretExpiresAt: null };
const usual: KeyFacts = {
  key: 'key_a',
  requests: 50,
  refused: 2,
  busiestRequests: 100,
  busiestRefused: 5,
  daysUsed: 7,
  newNetworks: 0,
  networksKnown: 2,
  firstNetworkAt: NOW - 30 * DAY_MS,
};
const kinds = (change: Partial<KeyFacts>, used: Partial<KeyUse> = {}) =>
  findKeyAlerts({ ...use, ...used }, { ...usual, ...change }).map(({ kind }) => kind);

test('[K6] usual use is no alert, and neither is the very first', () => {
  expect(kinds({})).toEqual([]);
  const first = { busiestRequests: 0, busiestRefused: 0, daysUsed: 0, firstNetworkAt: null };
  const busy = { ...first, requests: 5_000, refused: 99, newNetworks: 3, networksKnown: 0 };
  expect(kinds(busy, { lastUsedAt: null })).toEqual([]);
});

test('[K6] a new network is reported after a day of learning, unless the key is used from everywhere', () => {
  expect(kinds({ newNetworks: 1 })).toEqual(['new_network']);
  expect(kinds({ newNetworks: 1, firstNetworkAt: NOW - DAY_MS })).toEqual(['new_network']);
  expect(kinds({ newNetworks: 1, firstNetworkAt: NOW - DAY_MS + 1 })).toEqual([]);
  expect(kinds({ newNetworks: 1, networksKnown: 20 })).toEqual(['new_network']);
  expect(kinds({ newNetworks: 1, networksKnown: 21 })).toEqual([]);
});

test('[K6] a key is dormant after 90 days; one that was never used is new', () => {
  expect(kinds({}, { lastUsedAt: NOW - 90 * DAY_MS })).toEqual(['dormant_key']);
  expect(kinds({}, { lastUsedAt: NOW - 90 * DAY_MS + 1 })).toEqual([]);
  expect(kinds({}, { lastUsedAt: null })).toEqual([]);
});

test('[K6] refusals are a burst when they are many, half of all and unusual', () => {
  expect(kinds({ requests: 200, refused: 100 })).toEqual(['refusals']);
  expect(kinds({ requests: 201, refused: 100 })).toEqual([]);
  expect(kinds({ requests: 99, refused: 99 })).toEqual([]);
  expect(kinds({ requests: 200, refused: 120, busiestRefused: 40 })).toEqual([]);
  expect(kinds({ requests: 200, refused: 121, busiestRefused: 40 })).toEqual(['refusals']);
});

test('[K6] a rate is unusual above ten times the busiest hour, once there is a usual one', () => {
  expect(kinds({ requests: 1_001 })).toEqual(['request_rate']);
  expect(kinds({ requests: 1_000 })).toEqual([]);
  expect(kinds({ requests: 599, busiestRequests: 1 })).toEqual([]);
  expect(kinds({ requests: 5_000, daysUsed: 2 })).toEqual([]);
});

test('[K6] an old secret is reported in its last hour', () => {
  expect(kinds({}, { secretExpiresAt: NOW + HOUR_MS })).toEqual(['old_secret']);
  expect(kinds({}, { secretExpiresAt: NOW + HOUR_MS + 1 })).toEqual([]);
});

test('[K6] a network is a /24 of IPv4, a /48 of IPv6, and nothing for an invalid address', () => {
  expect(networkOf('203.0.113.7')).toBe('203.0.113.0/24');
  expect(networkOf('203.0.113.250')).toBe('203.0.113.0/24');
  expect(networkOf('::ffff:203.0.113.7')).toBe('203.0.113.0/24');
  expect(networkOf('2001:db8:7:1::5')).toBe('2001:db8:7::/48');
  expect(networkOf('2001:db8:7:2:abc::1')).toBe('2001:db8:7::/48');
  expect(networkOf('here')).toBeNull();
});
