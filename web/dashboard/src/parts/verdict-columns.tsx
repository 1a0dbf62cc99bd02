/** The columns of a table that tell what a device check found. */

import type { Verdict } from '../types.ts';
import type { Column } from './table.tsx';

export const VERDICT_COLUMNS: readonly Column<Verdict>[] = [
  { title: 'Platform', cell: ({ platform }) => platform, value: ({ platform }) => platform },
  {
    title: 'Verdict',
    cell: ({ status }) => <span class={`badge ${status}`}>{status}</span>,
    value: ({ status }) => status,
  },
  {
    title: 'Reasons',
    cell: ({ reasons }) => reasons.join(', ') || 'none',
    value: ({ reasons }) => reasons.join(', '),
  },
];
