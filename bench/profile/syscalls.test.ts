/** Reading the table that strace writes about a process. */

import { expect, test } from 'bun:test';
import { parseSyscallCounts } from './syscalls.ts';

const TABLE = `% time     seconds  usecs/call     calls    errors syscall
------ ----------- ----------- --------- --------- ----------------
 61.20    0.412314          13     30001           sendto
 20.11    0.101002         101      1000        12 futex
  0.00    0.000000           0         7           read
------ ----------- ----------- --------- --------- ----------------
100.00    0.513316          16     31008        12 total
`;

test('[BENCH] calls are read from the table of strace, with errors and without', () => {
  expect(parseSyscallCounts(TABLE)).toEqual({ sendto: 30_001, futex: 1_000, read: 7 });
});
