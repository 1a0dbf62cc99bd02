/** Requests to an endpoint: filtered by the address, with details, resent one by one or in bulk. */

import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { ask } from '../../api.ts';
import { canEdit, useHere, usePageUrl } from '../../here.ts';
import { Id } from '../../parts/copy.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { JsonBox } from '../../parts/json-box.tsx';
import { Choice, useFilter } from '../../parts/list.tsx';
import { Answer, Failure } from '../../parts/states.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Ahead, Time } from '../../parts/time.tsx';
import { useAnswer } from '../../query.ts';
import {
  type Attempt,
  errorWords,
  isResendable,
  outcomeWords,
  undelivered,
} from '../../words/webhook.ts';
import type { Outcome } from './webhook.ts';

const OUTCOMES = ['delivered', 'retried', 'given_up'] as const;
const TONES: Readonly<Record<Attempt['outcome'], string>> = {
  delivered: 'active',
  retried: 'pending',
  given_up: 'failed',
};

/** Rows that are shown before the reader asks for all. */
const ROWS_SHOWN = 50;

interface Props {
  /** Of the webhook's routes. */
  readonly path: string;
  readonly id: string;
  readonly attempts: readonly Attempt[];
  readonly refresh: () => void;
}

export function Attempts({ path, id, attempts, refresh }: Props) {
  const here = useHere();
  const outcome = useFilter('outcome');
  const type = useFilter('type');
  const [event, setEvent] = useFilter('event');
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  const [resending, setResending] = useState<readonly string[] | null>(null);
  const [isWhole, setWhole] = useState(false);
  const shown = attempts.filter(
    (each) =>
      (outcome[0] === '' || each.outcome === outcome[0]) &&
      (type[0] === '' || each.type === type[0]),
  );
  const failed = undelivered(attempts).filter((each) =>
    shown.some(({ eventId }) => eventId === each),
  );
  const pick = (eventId: string, isPicked: boolean): void => {
    const next = new Set(picked);
    if (isPicked) next.add(eventId);
    else next.delete(eventId);
    setPicked(next);
  };
  return (
    <>
      <div class="filters">
        <Choice label="Outcome" all="Any outcome" values={OUTCOMES} filter={outcome} />
        <Choice
          label="Event type"
          all="All event types"
          values={[...new Set(attempts.map((each) => each.type))].toSorted()}
          filter={type}
        />
        {canEdit(here) && (
          <ResendButtons picked={[...picked]} failed={failed} resend={setResending} />
        )}
      </div>
      {event !== '' && <Delivery path={path} event={event} close={() => setEvent('')} />}
      <Table
        label="Attempts"
        columns={useColumns({ picked, pick, resend: (eventId) => setResending([eventId]) })}
        rows={isWhole ? shown : shown.slice(0, ROWS_SHOWN)}
        all={async () => shown}
        keyOf={({ eventId, attempt, at }) => `${eventId} ${attempt} ${at}`}
        empty={
          attempts.length === 0
            ? 'No requests yet. Send a test event to try the endpoint.'
            : 'No attempts match these filters.'
        }
        csv={`attempts-${id}`}
      />
      {!isWhole && shown.length > ROWS_SHOWN && (
        <button type="button" class="small" onClick={() => setWhole(true)}>
          Show all {shown.length}
        </button>
      )}
      {resending !== null && (
        <Resend
          path={path}
          events={resending}
          close={() => {
            setResending(null);
            setPicked(new Set());
            refresh();
          }}
        />
      )}
    </>
  );
}

function ResendButtons({
  picked,
  failed,
  resend,
}: {
  readonly picked: readonly string[];
  readonly failed: readonly string[];
  readonly resend: (events: readonly string[]) => void;
}) {
  return (
    <>
      <button type="button" disabled={picked.length === 0} onClick={() => resend(picked)}>
        Resend selected ({picked.length})
      </button>
      <button type="button" disabled={failed.length === 0} onClick={() => resend(failed)}>
        Resend all undelivered ({failed.length})
      </button>
    </>
  );
}

function useColumns({
  picked,
  pick,
  resend,
}: {
  readonly picked: ReadonlySet<string>;
  readonly pick: (eventId: string, isPicked: boolean) => void;
  readonly resend: (eventId: string) => void;
}): readonly Column<Attempt>[] {
  const here = useHere();
  const { path } = useLocation();
  const query = new URLSearchParams(location.search);
  const href = (eventId: string): string => {
    query.set('event', eventId);
    return `${path}?${query}`;
  };
  const selection: Column<Attempt> = {
    title: 'Select',
    cell: ({ eventId, type }) =>
      isResendable(type) && (
        <input
          type="checkbox"
          aria-label={`Select ${eventId}`}
          checked={picked.has(eventId)}
          onChange={({ currentTarget }) => pick(eventId, currentTarget.checked)}
        />
      ),
  };
  const acts: Column<Attempt> = {
    title: 'Actions',
    cell: ({ eventId, type }) =>
      isResendable(type) ? (
        <button type="button" class="small" onClick={() => resend(eventId)}>
          Resend
        </button>
      ) : (
        '—'
      ),
  };
  return canEdit(here) ? [selection, ...COLUMNS(href), acts] : COLUMNS(href);
}

const COLUMNS = (href: (eventId: string) => string): readonly Column<Attempt>[] => [
  { title: 'When', cell: ({ at }) => <Time at={at} />, value: ({ at }) => at },
  {
    title: 'Event',
    cell: ({ type, eventId }) => (
      <>
        <code>{type}</code>
        <br />
        <Id text={eventId} href={href(eventId)} />
      </>
    ),
    value: ({ type }) => type,
  },
  { title: 'Event id', value: ({ eventId }) => eventId },
  { title: 'Attempt', cell: ({ attempt }) => attempt, value: ({ attempt }) => attempt },
  {
    title: 'Status',
    cell: ({ status, outcome }) => (
      <span class={`badge ${TONES[outcome]}`}>{status ?? 'none'}</span>
    ),
    value: ({ status }) => status,
  },
  {
    title: 'Outcome',
    cell: ({ outcome, error }) =>
      outcome.replace('_', ' ') + (error === null ? '' : `: ${errorWords(error)}`),
    value: ({ outcome }) => outcome,
  },
  { title: 'Error', value: ({ error }) => error },
  {
    title: 'Took',
    cell: ({ durationMs }) => <span class="whole">{durationMs} ms</span>,
    value: ({ durationMs }) => durationMs,
  },
  {
    title: 'Next attempt',
    cell: ({ nextAttemptAt }) => <Ahead at={nextAttemptAt} never="none" />,
    value: ({ nextAttemptAt }) => nextAttemptAt,
  },
];

interface DeliveryDetails {
  readonly payload: object | null;
  readonly attempts: readonly Attempt[];
}

/** The event that was sent, and each response to it. */
function Delivery({
  path,
  event,
  close,
}: {
  readonly path: string;
  readonly event: string;
  readonly close: () => void;
}) {
  const url = usePageUrl();
  const found = useAnswer<DeliveryDetails>(`${path}/deliveries/${encodeURIComponent(event)}`);
  const session = found.data?.attempts[0]?.sessionId ?? null;
  return (
    <section class="card delivery" aria-label="Delivery">
      <h3>
        Event <Id text={event} />
      </h3>
      {session !== null && (
        <p>
          Session <Id text={session} href={url('sessions', session)} />
        </p>
      )}
      <Answer of={found}>
        {({ payload, attempts }) => (
          <>
            <h4>Payload</h4>
            {payload === null ? (
              <p class="muted">
                Not stored: a test event has none, and events are kept for 30 days.
              </p>
            ) : (
              <JsonBox label="Payload" value={payload} />
            )}
            <h4>Responses</h4>
            <ol>
              {attempts.map((each) => (
                <li key={`${each.attempt} ${each.at}`}>
                  <p>
                    Attempt {each.attempt}, <Time at={each.at} />, {each.durationMs} ms.{' '}
                    {outcomeWords(each)}.
                  </p>
                  {each.response !== null && <pre class="response">{each.response}</pre>}
                </li>
              ))}
            </ol>
            <p class="hint">
              Of answers that were no success the first 1 KiB is kept for 7 days, without secrets.
            </p>
          </>
        )}
      </Answer>
      <button type="button" class="small" onClick={close}>
        Close
      </button>
    </section>
  );
}

type Sent = { readonly event: string } & (
  | { readonly outcome: Outcome }
  | { readonly error: unknown }
);

/** Resends events one after another, and shows each result. */
function Resend({
  path,
  events,
  close,
}: {
  readonly path: string;
  readonly events: readonly string[];
  readonly close: () => void;
}) {
  const [sent, setSent] = useState<readonly Sent[]>([]);
  const [isBusy, setBusy] = useState(false);
  const run = async (): Promise<void> => {
    setBusy(true);
    const done: Sent[] = [];
    for (const event of events) {
      try {
        done.push({ event, outcome: await ask<Outcome>(`${path}/deliveries/${event}/resend`, {}) });
      } catch (error) {
        done.push({ event, error });
      }
      setSent([...done]);
    }
    setBusy(false);
  };
  const count = events.length === 1 ? '1 event' : `${events.length} events`;
  const good = sent.filter((each) => 'outcome' in each && each.outcome.error === null).length;
  const isDone = sent.length === events.length;
  return (
    <Dialog title={`Resend ${count}`} close={() => !isBusy && close()}>
      <p>
        Each is sent once more with its own id, so an endpoint that already handled it can tell.
      </p>
      <p role="status">
        {sent.length > 0 && `${sent.length} of ${events.length} sent, ${good} delivered.`}
      </p>
      {sent.map((each) =>
        'error' in each ? (
          <Failure key={each.event} error={each.error} />
        ) : (
          each.outcome.error !== null && (
            <p key={each.event} class="problem">
              <code class="id">{each.event}</code> {outcomeWords(each.outcome)}.
            </p>
          )
        ),
      )}
      <div class="actions">
        {!isDone && (
          <button type="button" class="primary" disabled={isBusy} onClick={run}>
            Resend {count}
          </button>
        )}
        <button type="button" disabled={isBusy} onClick={close}>
          {isDone ? 'Close' : 'Cancel'}
        </button>
      </div>
    </Dialog>
  );
}
