/** The total backlog of sockets. */

import { expect, test } from 'bun:test';
import {
  ADDRESS_BACKLOG_BYTES_MAX,
  makeBacklogs,
  PROCESS_BACKLOG_BYTES_MAX,
  SMALL_BACKLOG_BYTES,
} from './backlogs.ts';

const MIB = 1_024 * 1_024;

test('[P5] all sockets of a process share 256 MiB; addresses without sockets are forgotten', () => {
  const backlogs = makeBacklogs();
  const addresses = Array.from({ length: 16 }, (_, n) => `198.51.100.${n}`);
  for (const address of addresses) backlogs.note(address, 0, ADDRESS_BACKLOG_BYTES_MAX);
  expect(backlogs.total()).toBe(PROCESS_BACKLOG_BYTES_MAX);
  expect(backlogs.isCrowded('203.0.113.1', MIB)).toBe(false);
  backlogs.note('203.0.113.1', 0, 1);
  expect(backlogs.isCrowded('203.0.113.1', MIB)).toBe(true);
  expect(backlogs.isCrowded('203.0.113.1', SMALL_BACKLOG_BYTES)).toBe(false);
  for (const address of addresses) backlogs.note(address, ADDRESS_BACKLOG_BYTES_MAX, 0);
  expect([backlogs.total(), backlogs.isCrowded(addresses[0]!, MIB)]).toEqual([1, false]);
});
