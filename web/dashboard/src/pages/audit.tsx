/** The audit log: who did what, each row linked to the one before it. */

import { useState } from 'preact/hooks';
import { ask } from '../api.ts';
import { useHere } from '../here.ts';
import { Id } from '../parts/copy.tsx';
import { Choice, DayBox, Rows, useFilter, useList } from '../parts/list.tsx';
import { Failure } from '../parts/states.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { exactTime } from '../parts/time.tsx';
import { useAnswer } from '../query.ts';
import type { AuditRow } from '../types.ts';
import { beginOfDay, endOfDay } from '../words/day.ts';

const REFRESH_MS = 10_000;
const PAGE_ROWS = 50;

interface Verified {
  readonly ok: boolean;
  readonly rows: number;
  readonly firstWrong: number | null;
  readonly fault: string | null;
  readonly keyedFrom: number | null;
  readonly hash: string | null;
  /** To be stored elsewhere; null for a chain without rows, or with a fault. */
  readonly anchor: object | null;
}

export function Audit() {
  const { place } = useHere();
  return (
    <div>
      <h1>Audit log</h1>
      <p class="lead">
        Who changed what. Each row carries a hash over itself and the row before, and a code made
        with a key outside the database, so a changed or missing row is found. Keep an anchor
        elsewhere to also find a cut-off end.
      </p>
      <AuditChain path={`/t/${place.slug}/audit`} name={`audit-${place.slug}`} />
    </div>
  );
}

/** Acts and actors of a chain. */
interface Names {
  readonly acts: readonly string[];
  readonly actors: readonly { readonly actor: string; readonly name: string | null }[];
}

const COLUMNS: readonly Column<AuditRow>[] = [
  { title: 'Row', cell: ({ n }) => n, value: ({ n }) => n },
  { title: 'When', cell: ({ at }) => exactTime(at), value: ({ at }) => at },
  {
    title: 'Who',
    cell: (row) => (
      <>
        {row.name} <Id text={row.actor} />
      </>
    ),
    value: (row) => row.name ?? row.actor,
  },
  { title: 'What', cell: ({ act }) => act, value: ({ act }) => act },
  {
    title: 'On',
    cell: ({ object }) => (object === '' ? '—' : <Id text={object} />),
    value: ({ object }) => object,
  },
  {
    title: 'Hash',
    cell: ({ hash }) => <code title={hash}>{hash.slice(0, 12)}</code>,
    value: ({ hash }) => hash,
  },
];

/** The filtered rows of a chain, with a button that verifies all of them. */
export function AuditChain({ path, name }: { readonly path: string; readonly name: string }) {
  const names = useAnswer<Names>(`${path}/names`);
  const actor = useFilter('actor');
  const act = useFilter('act');
  const from = useFilter('from');
  const to = useFilter('to');
  const query = new URLSearchParams();
  for (const [key, value] of [
    ['actor', actor[0]],
    ['act', act[0]],
    ['from', beginOfDay(from[0])],
    ['to', endOfDay(to[0])],
  ] as const) {
    if (value !== null && value !== '') query.set(key, value);
  }
  const list = useList<AuditRow>(`${path}?${query}`, {
    pageRows: PAGE_ROWS,
    everyMs: REFRESH_MS,
    keyOf: ({ n }) => String(n),
  });
  const actors = new Map(names.data?.actors.map((each) => [each.actor, each.name]));
  return (
    <>
      <Verify path={path} />
      <div class="filters">
        <Choice
          label="Who"
          all="Anyone"
          values={[...actors.keys()]}
          wordsOf={(id) => actorWords(id, actors.get(id) ?? null)}
          filter={actor}
        />
        <Choice label="What" all="Any action" values={names.data?.acts ?? []} filter={act} />
        <DayBox label="From" filter={from} />
        <DayBox label="To" filter={to} />
      </div>
      <Rows list={list} older="Older rows">
        {(rows) => (
          <Table
            label="Audit"
            rows={rows}
            keyOf={({ n }) => String(n)}
            empty={query.size > 0 ? 'No rows match these filters.' : 'Nothing was changed yet.'}
            csv={name}
            all={list.all}
            columns={COLUMNS}
          />
        )}
      </Rows>
    </>
  );
}

/** `Olga (member)`, `backend (key)`; the id if there is no name. */
function actorWords(actor: string, name: string | null): string {
  return name === null ? actor : `${name} (${actor.split(':')[0]})`;
}

function Verify({ path }: { readonly path: string }) {
  const [verified, setVerified] = useState<Verified | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const verify = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      setVerified(await ask<Verified>(`${path}/verify`, undefined, 'POST'));
    } catch (reason) {
      setError(reason);
    }
    setBusy(false);
  };
  return (
    <>
      <div class="actions">
        <button type="button" class="primary" disabled={isBusy} onClick={verify}>
          {isBusy ? 'Verifying…' : 'Verify the chain'}
        </button>
        {verified?.anchor != null && (
          <a
            class="button"
            href={`data:application/json,${encodeURIComponent(`${JSON.stringify(verified.anchor)}\n`)}`}
            download="audit-anchor.json"
          >
            Save an anchor
          </a>
        )}
      </div>
      {error !== null && <Failure error={error} />}
      <p class={`verified ${verified?.ok === false ? 'problem' : 'good'}`} role="status">
        {verified !== null && verifiedWords(verified)}
      </p>
    </>
  );
}

function verifiedWords({ ok, rows, firstWrong, fault, keyedFrom, hash }: Verified): string {
  if (ok) {
    const older = keyedFrom !== null && keyedFrom > 1 ? ` Keyed from row ${keyedFrom} on.` : '';
    return `All ${rows} rows are as they were written.${older} Last hash: ${hash}`;
  }
  if (fault === 'not_keyed') return 'No row is keyed: all of them were replaced.';
  if (fault === 'mac_missing') return `Row ${firstWrong} was written without the key.`;
  if (fault === 'keyed_unannounced') return `Rows before row ${firstWrong} were replaced.`;
  return `Row ${firstWrong} is not as it was written.`;
}
