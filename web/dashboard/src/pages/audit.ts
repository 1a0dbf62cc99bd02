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
  readonly fault: string | null;
  readonly keyedFrom: number | null;
  readonly hash: string | null;
  /** To be kept elsewhere; null for a chain without rows, or with a fault. */
  readonly anchor: object | null;
}

export async function audit({ place }: Context): Promise<HTMLElement> {
  const lead =
    'Each row carries a hash over itself and the row before, and a code that needs a key outside the ' +
    'database: no row can be changed or taken out unseen. Keep an anchor elsewhere, and even a ' +
    'cut-off end shows.';
  const chain = await auditChain(`/t/${place.slug}/audit`);
  return el('div', '', el('h1', '', 'Audit log'), el('p', 'lead', lead), chain);
}

/** The rows of a chain, with a button that verifies all of them. */
export async function auditChain(path: string): Promise<HTMLElement> {
  const said = withAttributes(el('p', 'verified'), { role: 'status' });
  const verify = button('primary', 'Verify the chain', async () => {
    const verified = await ask<Verified>(`${path}/verify`, undefined, 'POST');
    said.className = `verified ${verified.ok ? 'good' : 'problem'}`;
    said.textContent = describe(verified);
    anchors.replaceChildren(...(verified.anchor === null ? [] : [anchorLink(verified.anchor)]));
  });
  const anchors = el('div', 'actions');
  return el('div', '', el('div', 'actions', verify), said, anchors, await auditTable(path));
}

function describe({ ok, rows, firstWrong, fault, keyedFrom, hash }: Verified): string {
  if (ok) {
    const older = keyedFrom !== null && keyedFrom > 1 ? ` Keyed from row ${keyedFrom} on.` : '';
    return `All ${rows} rows are as they were written.${older} Last hash: ${hash}`;
  }
  if (fault === 'not_keyed') return 'No row is keyed: all of them were replaced.';
  if (fault === 'mac_missing') return `Row ${firstWrong} was written without the key.`;
  if (fault === 'keyed_unannounced') return `Rows before row ${firstWrong} were replaced.`;
  return `Row ${firstWrong} is not what was written.`;
}

function anchorLink(anchor: object): HTMLElement {
  const text = `${JSON.stringify(anchor)}\n`;
  return withAttributes(el('a', 'button', 'Save an anchor'), {
    href: `data:application/json,${encodeURIComponent(text)}`,
    download: 'audit-anchor.json',
  });
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
