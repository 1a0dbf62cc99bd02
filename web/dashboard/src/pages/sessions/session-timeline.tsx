/** A session's events in words; the records themselves in an expandable section. */

import { useEffect, useState } from 'preact/hooks';
import { ask } from '../../api.ts';
import { useHere } from '../../here.ts';
import { Failure, Loading } from '../../parts/states.tsx';
import { clockTime, exactTime, zoneName } from '../../parts/time.tsx';
import { useAnswer, useClient } from '../../query.ts';
import type { Chance, Session, TimelineRow } from '../../types.ts';
import { timelineWords } from '../../words/timeline.ts';

/** Moves change no list: during a match its log is polled for new records. */
const REFRESH_MS = 2_000;
/** For a long session the newest lines, until the reader asks for all. */
const LINES_MAX = 200;

/** The most new records in one response. */
const PART_MAX = 1_000;

interface Part {
  readonly data: readonly TimelineRow[];
  readonly hasMore: boolean;
}

/** The newest records first, then only new ones; older ones when they are asked for. */
function useTimeline({ sessionId, status }: Session) {
  const { api } = useHere();
  const client = useClient();
  const [rows, setRows] = useState<readonly TimelineRow[] | null>(null);
  const [hasOlder, setHasOlder] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [tries, setTries] = useState(0);
  const read = (query: string): Promise<Part> => {
    const path = `${api}/sessions/${sessionId}/timeline?limit=${PART_MAX}${query}`;
    return client.fetchQuery<Part>({
      queryKey: [path],
      queryFn: () => ask(path),
      staleTime: 0,
      gcTime: 0,
    });
  };
  useEffect(() => {
    let isShown = true;
    let lastV: number | null = null;
    let timer = 0;
    const turn = async (): Promise<void> => {
      try {
        const { data, hasMore } = await read(lastV === null ? '' : `&after=${lastV}`);
        if (!isShown) return;
        if (lastV === null) {
          setRows(data);
          setHasOlder(hasMore);
        } else if (data.length > 0) setRows((known) => [...known!, ...data]);
        lastV = data.at(-1)?.v ?? lastV;
        setError(null);
      } catch (reason) {
        if (isShown) setError(reason);
      }
      if (isShown && status !== 'ended') timer = window.setTimeout(next, REFRESH_MS);
    };
    const next = (): void => {
      if (document.hidden) timer = window.setTimeout(next, REFRESH_MS);
      else void turn();
    };
    void turn();
    return () => {
      isShown = false;
      clearTimeout(timer);
    };
  }, [api, sessionId, tries]);
  const older = async (): Promise<void> => {
    try {
      const { data, hasMore } = await read(`&before=${rows![0]!.v}`);
      setRows((known) => [...data, ...known!]);
      setHasOlder(hasMore);
      setError(null);
    } catch (reason) {
      setError(reason);
    }
  };
  return { rows, error, hasOlder, older, retry: () => setTries(tries + 1) };
}

/** `replay` is its path after the match has ended, with the drawn values; null before. */
export function Timeline({
  session,
  replay,
}: {
  readonly session: Session;
  readonly replay: string | null;
}) {
  const { rows, error, hasOlder, older, retry } = useTimeline(session);
  // The stored replay: without it for matches without chance, and those of an earlier matchd.
  const { data } = useAnswer<{ readonly chance?: readonly Chance[] | null }>(replay);
  const [isWhole, setWhole] = useState(false);
  const lines =
    rows === null ? [] : timelineWords(rows, session, data?.chance ?? null).toReversed();
  const shown = isWhole ? lines : lines.slice(0, LINES_MAX);
  const zone = zoneName(session.createdAt);
  return (
    <section class="card timeline" aria-label="Timeline">
      <h2>Timeline</h2>
      <p class="hint">Newest first. Times are {zone}.</p>
      {error !== null && <Failure error={error} retry={retry} />}
      {rows === null && error === null && <Loading />}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by the keyboard */}
      <ol tabIndex={0} aria-label="What happened">
        {shown.map(({ v, at, words }) => (
          <li key={v}>
            <time dateTime={at} title={exactTime(at)} data-live="">
              {clockTime(at)}
            </time>{' '}
            {words}
          </li>
        ))}
      </ol>
      {shown.length < lines.length && (
        <button type="button" class="small" onClick={() => setWhole(true)}>
          Show all {lines.length}
        </button>
      )}
      {shown.length === lines.length && hasOlder && (
        <button
          type="button"
          class="small"
          onClick={() => {
            setWhole(true);
            void older();
          }}
        >
          Show older
        </button>
      )}
      {rows !== null && <Records rows={rows} />}
    </section>
  );
}

function Records({ rows }: { readonly rows: readonly TimelineRow[] }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Raw records</summary>
      {isOpen && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by the keyboard
        <pre tabIndex={0}>
          {rows
            .slice(-LINES_MAX)
            .map((row) => JSON.stringify(row))
            .join('\n')}
        </pre>
      )}
      {isOpen && rows.length > LINES_MAX && (
        <p class="hint">The last {LINES_MAX} records. The replay holds all of them.</p>
      )}
    </details>
  );
}
