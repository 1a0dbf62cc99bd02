/** Tables as files for spreadsheets. */

import { expect, test } from 'bun:test';
import { toCsv } from './csv.ts';

test('[D11] a CSV quotes what needs it, leaves out columns without a value, and runs no formula', () => {
  const columns = [
    { title: 'Player', value: ({ id }: { id: string | null; n: number }) => id },
    { title: 'Actions' },
    { title: 'Matches, all', value: ({ n }: { id: string | null; n: number }) => n },
  ];
  const rows = [
    { id: 'ann "the, first"', n: 3 },
    { id: '=HYPERLINK("http://x")', n: -1 },
    { id: 'two\nlines', n: 0 },
    { id: null, n: 2 },
  ];
  expect(toCsv(columns, rows)).toBe(
    [
      'Player,"Matches, all"',
      '"ann ""the, first""",3',
      `"'=HYPERLINK(""http://x"")",-1`,
      '"two\nlines",0',
      ',2',
      '',
    ].join('\r\n'),
  );
});
