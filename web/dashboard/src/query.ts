/** Answers of the service, kept for the pages that show them: TanStack Query for Preact's hooks. */

import {
  QueryCache,
  QueryClient,
  QueryObserver,
  type QueryObserverResult,
} from '@tanstack/query-core';
import { createContext } from 'preact';
import { useContext, useEffect, useMemo, useState } from 'preact/hooks';
import { ask, isSignedOut, Refusal } from './api.ts';
import type { ChangedList } from './live/change-stream.ts';
import { useChanges } from './live/live.tsx';

/** An answer shown again within this time is not asked for anew. */
const FRESH_MS = 1_000;
/** A server's failure is asked again this often before the page says so. */
const RETRIES_MAX = 1;

/** `signedOut` is called when an answer says that the login has ended. */
export function makeClient(signedOut: () => void): QueryClient {
  const onError = (error: unknown): void => {
    if (isSignedOut(error)) signedOut();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        // A service on this very machine is reached without a network.
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

/** Nothing to follow. */
const NO_LISTS: readonly ChangedList[] = [];

/**
 * What a GET answers, kept by its path; null for a path asks nothing. `fresh` keeps it up to date while the page is
 * visible: when one of these lists changes, or each so many milliseconds.
 */
export function useAnswer<Answer>(
  path: string | null,
  fresh: readonly ChangedList[] | number | false = false,
): QueryObserverResult<Answer> {
  const client = useClient();
  const everyMs = typeof fresh === 'number' && fresh;
  const observer = useMemo(
    () =>
      new QueryObserver<Answer>(client, {
        queryKey: [path],
        queryFn: () => ask<Answer>(path!),
        enabled: path !== null,
        refetchInterval: everyMs,
      }),
    [client, path, everyMs],
  );
  const [, setTurn] = useState(0);
  useEffect(() => observer.subscribe(() => setTurn((turn) => turn + 1)), [observer]);
  const lists = typeof fresh === 'object' ? fresh : NO_LISTS;
  useChanges(lists, () => path !== null && void client.refetchQueries({ queryKey: [path] }));
  return observer.getCurrentResult();
}
