/** Lists, the newest first, that keep themselves up to date; filters stand in the address. */

import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { fetchAllRows, pageOf } from '../all-rows.ts';
import { ask, isSignedOut } from '../api.ts';
import type { ChangedList } from '../live/change-stream.ts';
import { useChanges } from '../live/live.tsx';
import { makeNewestFirst } from '../newest-first.ts';
import { useClient } from '../query.ts';
import type { Page } from '../types.ts';
import { Failure, Loading } from './states.tsx';

/** A filter's value in the query of the address, empty when absent. `isTyped`: no step for Back on each letter. */
export function useFilter(
  name: string,
  isTyped = false,
): readonly [value: string, set: (value: string) => void] {
  const { query, path, route } = useLocation();
  const set = (value: string): void => {
    const next = new URLSearchParams(location.search);
    if (value === '') next.delete(name);
    else next.set(name, value);
    const text = next.toString();
    route(text === '' ? path : `${path}?${text}`, isTyped);
  };
  return [query[name] ?? '', set];
}

const NO_LISTS: readonly ChangedList[] = [];

export interface List<Row> {
  /** Null until the first answer. */
  readonly rows: readonly Row[] | null;
  readonly hasOlder: boolean;
  readonly error: unknown;
  /** Opens one more page behind those that are shown. */
  older(): void;
  refresh(): void;
  /** Every row of it, for a file. */
  all(): Promise<readonly Row[]>;
}

/** `path` names the list with its filters; a new path restarts the list. */
export function useList<Row>(
  path: string,
  options: {
    readonly pageRows: number;
    /** What it is read again after. */
    readonly lists?: readonly ChangedList[];
    /** For a list that no change is told of. */
    readonly everyMs?: number;
    readonly keyOf: (row: Row) => string;
  },
): List<Row> {
  const client = useClient();
  const { pageRows, lists = NO_LISTS, everyMs, keyOf } = options;
  const [shown, setShown] = useState<Pick<List<Row>, 'rows' | 'hasOlder'>>({
    rows: null,
    hasOlder: false,
  });
  const [error, setError] = useState<unknown>(null);
  const list = useMemo(() => {
    const made = makeNewestFirst<Row>({
      pageRows,
      ask: (limit, cursor) =>
        // Through the client: it knows what to do when the login has ended.
        client.fetchQuery<Page<Row>>(pageQuery<Row>(pageOf(path, limit, cursor))),
      keyOf,
      show: (rows, hasOlder) => setShown({ rows, hasOlder }),
    });
    const run = (act: () => Promise<void>) => (): void =>
      void act().then(
        () => setError(null),
        (reason: unknown) => {
          if (!isSignedOut(reason)) setError(reason);
        },
      );
    return { start: run(made.start), refresh: run(made.refresh), older: run(made.older) };
  }, [client, path]);
  useEffect(() => list.start(), [list]);
  useEffect(() => {
    if (everyMs === undefined) return;
    const timer = setInterval(() => !document.hidden && list.refresh(), everyMs);
    return () => clearInterval(timer);
  }, [list, everyMs]);
  useChanges(lists, list.refresh);
  const all = (): Promise<readonly Row[]> => fetchAllRows<Row>(path);
  return { ...shown, error, older: list.older, refresh: list.refresh, all };
}

/** Never from the cache, and not kept in it. */
function pageQuery<Row>(path: string) {
  return {
    queryKey: [path],
    queryFn: () => ask<Page<Row>>(path),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  };
}

/** What a list shows: its rows by `children`, and the button for older ones. */
export function Rows<Row>({
  list,
  older,
  children,
}: {
  readonly list: List<Row>;
  /** The words of the button. */
  readonly older: string;
  readonly children: (rows: readonly Row[]) => ComponentChildren;
}) {
  return (
    <>
      {list.error !== null && <Failure error={list.error} retry={list.refresh} />}
      {list.rows === null ? list.error === null && <Loading /> : children(list.rows)}
      {list.hasOlder && (
        <div class="actions">
          <button type="button" onClick={list.older}>
            {older}
          </button>
        </div>
      )}
    </>
  );
}

export function Choice({
  label,
  all,
  values,
  wordsOf = (each) => each,
  filter: [value, set],
}: {
  readonly label: string;
  /** Stands for no filter. */
  readonly all: string;
  readonly values: readonly string[];
  /** Shown for a value. */
  readonly wordsOf?: (value: string) => string;
  readonly filter: ReturnType<typeof useFilter>;
}) {
  // A value of the address that is not known yet stands there, too.
  const options = value === '' || values.includes(value) ? values : [value, ...values];
  return (
    <select
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => set(currentTarget.value)}
    >
      <option value="">{all}</option>
      {options.map((each) => (
        <option key={each} value={each}>
          {wordsOf(each)}
        </option>
      ))}
    </select>
  );
}

export function SearchBox({
  label,
  filter: [value, set],
}: {
  readonly label: string;
  readonly filter: ReturnType<typeof useFilter>;
}) {
  return (
    <input
      type="search"
      placeholder={label}
      aria-label={label}
      value={value}
      onInput={({ currentTarget }) => set(currentTarget.value)}
    />
  );
}

/** A day of the reader's calendar, `2026-11-27`. */
export function DayBox({
  label,
  filter: [value, set],
}: {
  readonly label: string;
  readonly filter: ReturnType<typeof useFilter>;
}) {
  return (
    <label class="day">
      {label}
      <input type="date" value={value} onChange={({ currentTarget }) => set(currentTarget.value)} />
    </label>
  );
}
