/** Placeholders for content: loading, failed, no permission, nothing there. */

import type { QueryObserverResult } from '@tanstack/query-core';
import type { ComponentChildren } from 'preact';
import { Refusal } from '../api.ts';

export function Loading() {
  return (
    <p class="loading" role="status">
      Loading…
    </p>
  );
}

/** What to do about a failed call. */
function advice(error: unknown): string {
  if (!(error instanceof Refusal)) return 'Reload the page. If it fails again, report it.';
  if (error.status === 0) return 'Check your connection. The page keeps trying.';
  if (error.status === 403) return 'Ask an owner of the tenant for a role that may do this.';
  if (error.status === 404) return 'Check the address. It may have been deleted.';
  if (error.status === 429) return 'Wait a moment, then try again.';
  if (error.status >= 500) return 'Try again. If it keeps failing, report the request id.';
  return '';
}

/** The service's message, what to do, and the request id. */
export function Failure({
  error,
  retry,
}: {
  readonly error: unknown;
  readonly retry?: () => void;
}) {
  const requestId = error instanceof Refusal ? error.requestId : '';
  return (
    <div class="failure" role="alert">
      <p class="problem">{error instanceof Error ? error.message : String(error)}</p>
      <p class="hint">
        {advice(error)}
        {requestId !== '' && (
          <>
            {' '}
            Request <code class="id">{requestId}</code>
          </>
        )}
      </p>
      {retry !== undefined && (
        <button type="button" class="small" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}

/** The content once it is loaded. A later failure keeps it and is shown above it. */
export function Answer<T>({
  of,
  children,
}: {
  readonly of: QueryObserverResult<T>;
  readonly children: (data: T) => ComponentChildren;
}) {
  const retry = (): void => void of.refetch();
  if (of.data === undefined)
    return of.isError ? <Failure error={of.error} retry={retry} /> : <Loading />;
  return (
    <>
      {of.isError && <Failure error={of.error} retry={retry} />}
      {children(of.data)}
    </>
  );
}

export function Notice({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ComponentChildren;
}) {
  return (
    <div>
      <h1>{title}</h1>
      <p class="lead">{children}</p>
    </div>
  );
}
