/** Responses of the service, cached for the pages: TanStack Query for Preact's hooks. */

import {
  QueryCache,
  QueryClient,
  QueryObserver,
  type QueryObserverResult,
} from '@tanstack/query-core';
import { createContext } from 'preact';
import { useContext, useEffect, useMemo, useState } from 'preact/hooks';
import { fetchAllRows } from './all-rows.ts';
import { ask, isSignedOut, Refusal } from './api.ts';
import type { ChangedList } from './live/change-stream.ts';
import { useChanges } from './live/live.tsx';
import { makeSerial } from './serial.ts';

/** A response is not requested again within this time. */
const FRESH_MS = 1_000;
/** How often a server error is retried before the page shows it. */
const RETRIES_MAX = 1;

/** `signedOut` is called when a response shows that the login has ended. */
export function makeClient(signedOut: () => void): QueryClient {
  const onError = (error: unknown): void => {
    if (isSignedOut(error)) signedOut();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        // A service on this machine is reachable without a network.
        networkMode: 'always',
        retry: (failures, error) =>
          failures < RETRIES_MAX && error instanceof Refusal && error.status >= 500,
      },
    },
  });
}

export const Client = createContext<QueryClient>(null as unknown as QueryClient);

export function useClient(): QueryClient {
  return useContext(Client);
}

/** When it is fetched again: after a change of these lists, every so many ms, or never. */
export type Fresh = readonly ChangedList[] | number | false;

/** Nothing to follow. */
const NO_LISTS: readonly ChangedList[] = [];

/**
 * The response to a GET, cached by its path; a null path makes no request. `fresh` keeps it up to
 * date while the page is visible: when one of these lists changes, or every so many milliseconds.
 */
export function useAnswer<Answer>(
  path: string | null,
  fresh: Fresh = false,
): QueryObserverResult<Answer> {
  return useFetched<Answer>(path, () => ask<Answer>(path!), fresh);
}

/** The same once, outside of rendering: it shares the request and the response with `useAnswer`. */
export function fetchAnswer<Answer>(client: QueryClient, path: string): Promise<Answer> {
  return client.fetchQuery({ queryKey: [path], queryFn: () => ask<Answer>(path) });
}

/** All rows of a list that is short enough to be read whole. */
export function useAllRows<Row>(
  path: string,
  fresh: Fresh = false,
): QueryObserverResult<readonly Row[]> {
  return useFetched<readonly Row[]>(`all ${path}`, () => fetchAllRows<Row>(path), fresh);
}

/** The result of `fetch`, cached by `name`, which must contain everything it depends on. */
export function useFetched<Answer>(
  name: string | null,
  fetch: () => Promise<Answer>,
  fresh: Fresh = false,
): QueryObserverResult<Answer> {
  const client = useClient();
  const everyMs = typeof fresh === 'number' && fresh;
  const observer = useMemo(
    () =>
      new QueryObserver<Answer>(client, {
        queryKey: [name],
        queryFn: fetch,
        enabled: name !== null,
        refetchInterval: everyMs,
      }),
    [client, name, everyMs],
  );
  const [, setTurn] = useState(0);
  useEffect(() => observer.subscribe(() => setTurn((turn) => turn + 1)), [observer]);
  const lists = typeof fresh === 'object' ? fresh : NO_LISTS;
  const refresh = useMemo(() => makeSerial(() => readAgain(client, name)), [client, name]);
  useChanges(lists, () => void refresh());
  return observer.getCurrentResult();
}

/** Resolves after a request that began after this call. A failed one is in the result of the query. */
async function readAgain(client: QueryClient, name: string | null): Promise<void> {
  if (name === null) return;
  const query = { queryKey: [name] };
  const isUnderWay = client.isFetching(query) > 0;
  // The first joins a request that is under way.
  await client.refetchQueries(query, { cancelRefetch: false });
  if (isUnderWay) await client.refetchQueries(query, { cancelRefetch: false });
}
