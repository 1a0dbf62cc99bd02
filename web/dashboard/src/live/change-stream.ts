/** The service's stream of changed lists (rule D11): open while the page is visible, reopened when it breaks. */

import { API_BASE, Refusal } from '../api.ts';

/** The service's names. */
export type ChangedList =
  | 'sessions'
  | 'players'
  | 'tickets'
  | 'verdicts'
  | 'keys'
  | 'requests'
  | 'webhooks'
  | 'metrics';

/** How long until a refused stream is retried. The browser itself reopens a broken one. */
const RETRY_MS = 5_000;

export interface ChangeStreamEvents {
  opened(): void;
  changed(lists: readonly ChangedList[]): void;
  /** It broke (null), or the service refused it. */
  broken(refusal: Refusal | null): void;
}

/** Returns a function that closes it. `path` is below the API's base. */
export function openChangeStream(path: string, events: ChangeStreamEvents): () => void {
  let source: EventSource | null = null;
  let timer = 0;
  const close = (): void => {
    clearTimeout(timer);
    source?.close();
    source = null;
  };
  const open = (): void => {
    close();
    // A hidden page would use one of the few connections that a browser opens to a host.
    if (document.hidden) return;
    const made = new EventSource(API_BASE + path);
    source = made;
    // The service's own event has the name of the browser's, which comes first.
    made.addEventListener('open', (event) => event instanceof MessageEvent && events.opened());
    made.addEventListener('changed', ({ data }: MessageEvent<string>) => {
      events.changed((JSON.parse(data) as { lists: ChangedList[] }).lists);
    });
    made.addEventListener('error', async () => {
      if (made.readyState !== EventSource.CLOSED) return events.broken(null);
      const refusal = await findRefusal(path);
      // It may have been closed or reopened meanwhile.
      if (source !== made) return;
      events.broken(refusal);
      timer = window.setTimeout(open, RETRY_MS);
    });
  };
  // A connection that was cut off seems open for minutes.
  const offline = (): void => {
    close();
    events.broken(null);
  };
  open();
  document.addEventListener('visibilitychange', open);
  addEventListener('offline', offline);
  addEventListener('online', open);
  return () => {
    document.removeEventListener('visibilitychange', open);
    removeEventListener('offline', offline);
    removeEventListener('online', open);
    close();
  };
}

/** Why the stream is refused, which an EventSource does not say; null if it is not, or nothing answers. */
async function findRefusal(path: string): Promise<Refusal | null> {
  const stop = new AbortController();
  try {
    const response = await fetch(API_BASE + path, { signal: stop.signal });
    if (response.ok) return null;
    const { error } = (await response.json()) as { readonly error: string };
    const { headers, status } = response;
    const code = headers.get('X-Error-Code') ?? '';
    return new Refusal(status, code, error, headers.get('X-Request-Id') ?? '');
  } catch {
    return null;
  } finally {
    stop.abort();
  }
}
