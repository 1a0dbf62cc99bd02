/** The audit log: who did what, each row linked to the one before it. */

import { ask } from '../api.ts';
import type { Context } from '../page.ts';
import type { AuditRow, Page } from '../types.ts';
import { button, el, withAttributes } from '../ui/dom.ts';
import { makeTable } from '../ui/table.ts';
import { exactTime } from '../ui/time.ts';

interface Verified {
  readonly ok: boolean;
  readonly rows: number;
  readonly firstWrong: number | null;
  readonly hash: string | null;
}

export async function audit({ place }: Context): Promise<HTMLElement> {
  const lead =
    'Each row carries a hash over itself and the row before, so that none can be changed or taken ' +
    'out unseen. Keep the last hash elsewhere, and even a cut-off end shows.';
  const chain = await auditChain(`/t/${place.slug}/audit`);
  return el('div', '', el('h1', '', 'Audit log'), el('p', 'lead', lead), chain);
}

/** The rows of a chain, with a button that verifies all of them. */
export async function auditChain(path: string): Promise<HTMLElement> {
  const said = withAttributes(el('p', 'verified'), { role: 'status' });
  const verify = button('primary', 'Verify the chain', async () => {
    const { ok, rows, firstWrong, hash } = await ask<Verified>(`${path}/verify`, undefined, 'POST');
    said.className = `verified ${ok ? 'good' : 'problem'}`;
    said.textContent = ok
      ? `All ${rows} rows are as they were written. Last hash: ${hash}`
      : `Row ${firstWrong} is not what was written.`;
  });
  return el('div', '', el('div', 'actions', verify), said, await auditTable(path));
}

/** The name as it is now, with the id that stands in the row. */
function whoOf({ actor, name }: AuditRow): HTMLElement {
  const id = el('code', 'id', actor);
  return name === null ? id : el('span', '', `${name} `, id);
}

async function auditTable(path: string): Promise<HTMLElement> {
  const table = makeTable<AuditRow>(
    'Audit',
    [
      { title: 'Row', cell: ({ n }) => String(n) },
      { title: 'When', cell: ({ at }) => exactTime(at) },
      { title: 'Who', cell: whoOf },
      { title: 'What', cell: ({ act }) => act },
      { title: 'On', cell: ({ object }) => el('code', 'id', object) },
      {
        title: 'Hash',
        cell: ({ hash }) => withAttributes(el('code', '', hash.slice(0, 12)), { title: hash }),
      },
    ],
    ({ n }) => String(n),
    'Nothing was done yet.',
  );
  let rows: AuditRow[] = [];
  let next: string | null = null;
  const more = button('', 'Older rows', () => load());
  const load = async (): Promise<void> => {
    const page = await ask<Page<AuditRow>>(next === null ? path : `${path}?cursor=${next}`);
    rows = [...rows, ...page.data];
    next = page.nextCursor ?? null;
    more.hidden = next === null;
    table.show(rows);
  };
  await load();
  return el('div', '', table.element, el('div', 'actions', more));
}
