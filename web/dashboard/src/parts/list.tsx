/** Lists, newest first, that update themselves; filters are in the address. */

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

/** A filter's value in the address's query, empty if absent. `isTyped`: letters add no history entries. */
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
  /** Null until the first response. */
  readonly rows: readonly Row[] | null;
  readonly hasOlder: boolean;
  readonly error: unknown;
  /** Opens the next older page. */
  older(): void;
  refresh(): void;
  /** All rows, for a file. */
  all(): Promise<readonly Row[]>;
}

/** `path` names the list with its filters; a new path restarts the list. */
export function useList<Row>(
  path: string,
  options: {
    readonly pageRows: number;
    /** The changes after which it is read again. */
    readonly lists?: readonly ChangedList[];
    /** For a list without change notifications. */
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
        // Through the client, which handles the end of the login.
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

/** Never from the cache, and not stored in it. */
function pageQuery<Row>(path: string) {
  return {
    queryKey: [path],
    queryFn: () => ask<Page<Row>>(path),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  };
}

/** The content of a list: its rows as `children`, and the button for older ones. */
export function Rows<Row>({
  list,
  older,
  children,
}: {
  readonly list: List<Row>;
  /** The label of the button. */
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
  /** The label for no filter. */
  readonly all: string;
  readonly values: readonly string[];
  /** The label of a value. */
  readonly wordsOf?: (value: string) => string;
  readonly filter: ReturnType<typeof useFilter>;
}) {
  // A value in the address that is not among the known ones is shown, too.
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
