/** A webhook endpoint: its state and metrics, actions, attempts. */

import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { ask } from '../../api.ts';
import { canEdit, useHere, usePageUrl } from '../../here.ts';
import { Id } from '../../parts/copy.tsx';
import { Confirm } from '../../parts/dialog.tsx';
import { Fact } from '../../parts/fact.tsx';
import { Answer, Failure } from '../../parts/states.tsx';
import { Ahead, Time } from '../../parts/time.tsx';
import { useAllRows, useAnswer } from '../../query.ts';
import { type Attempt, healthOf, outcomeWords, successWords } from '../../words/webhook.ts';
import { backlogWords, eventWords, type Outcome, stateOf, type WebhookDetails } from './webhook.ts';
import { Attempts } from './webhook-attempts.tsx';
import { EditEndpoint, RotateSecret } from './webhook-forms.tsx';

const REFRESH_MS = 5_000;

export function WebhookPage({ id }: { readonly id: string }) {
  const { api } = useHere();
  const url = usePageUrl();
  const path = `${api}/v1/webhooks/${id}`;
  const hook = useAnswer<WebhookDetails>(path, REFRESH_MS);
  const attempts = useAllRows<Attempt>(`${path}/deliveries`, REFRESH_MS);
  const refresh = (): void => {
    void hook.refetch();
    void attempts.refetch();
  };
  return (
    <div>
      <p>
        <a href={url('webhooks')}>← Webhooks</a>
      </p>
      <h1 class="id" aria-label={hook.data?.url ?? 'Webhook'}>
        {hook.data === undefined ? 'Webhook' : <Id text={hook.data.url} />}
      </h1>
      <Answer of={hook}>
        {(details) => (
          <>
            {details.description !== '' && <p class="lead">{details.description}</p>}
            <Acts hook={details} path={path} refresh={refresh} />
            <section class="card" aria-label="Endpoint">
              <Facts hook={details} attempts={attempts.data ?? null} />
            </section>
            <section class="card">
              <h2>Attempts</h2>
              <Answer of={attempts}>
                {(rows) => <Attempts path={path} id={id} attempts={rows} refresh={refresh} />}
              </Answer>
            </section>
          </>
        )}
      </Answer>
    </div>
  );
}

function Facts({
  hook,
  attempts,
}: {
  readonly hook: WebhookDetails;
  readonly attempts: readonly Attempt[] | null;
}) {
  const [state, tone] = stateOf(hook);
  const health = attempts && healthOf(attempts);
  const { backlog, previousSecretExpiresAt } = hook;
  return (
    <dl class="facts">
      <Fact name="Status">
        <span class={`badge ${tone}`}>{state}</span>
        {hook.failingSince !== null && (
          <>
            {' '}
            since <Time at={hook.failingSince} />
          </>
        )}
      </Fact>
      <Fact name="Success">
        {health === null ? '…' : `${successWords(health)} latest requests`}
      </Fact>
      <Fact name="Latency">
        {health?.p50Ms == null
          ? 'no answers yet'
          : `${health.p50Ms} ms median, ${health.p99Ms} ms p99`}
      </Fact>
      <Fact name="Backlog">
        {backlogWords(hook)}
        {backlog.oldestAt !== null && (
          <>
            , oldest <Time at={backlog.oldestAt} />
          </>
        )}
      </Fact>
      <Fact name="Next retry">
        <Ahead
          at={backlog.nextAttemptAt}
          never={backlog.events > 0 ? 'first attempts are next' : 'none planned'}
        />
      </Fact>
      <Fact name="Old secret">
        {previousSecretExpiresAt === null ? (
          'none'
        ) : (
          <>
            signs, too; ends <Time at={previousSecretExpiresAt} />
          </>
        )}
      </Fact>
      <Fact name="Events">{eventWords(hook)}</Fact>
      <Fact name="Created">
        <Time at={hook.createdAt} />
      </Fact>
      <Fact name="Webhook id">
        <Id text={hook.id} />
      </Fact>
    </dl>
  );
}

type Opened = 'edit' | 'rotate' | 'delete';

function Acts({
  hook,
  path,
  refresh,
}: {
  readonly hook: WebhookDetails;
  readonly path: string;
  readonly refresh: () => void;
}) {
  const here = useHere();
  const [opened, setOpened] = useState<Opened | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  if (!canEdit(here)) return <p class="hint">Owners and developers can change this endpoint.</p>;
  /** `act` returns the message to show. */
  const run = (act: () => Promise<string>) => async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      here.say(await act());
    } catch (reason) {
      setError(reason);
    }
    setBusy(false);
    refresh();
  };
  const test = run(async () => `${outcomeWords(await ask<Outcome>(`${path}/test`, {}))}.`);
  const turn = run(async () => {
    await ask(path, { active: !hook.active }, 'PATCH');
    return hook.active ? 'The endpoint is paused.' : 'The endpoint is active.';
  });
  return (
    <>
      <div class="actions">
        <button type="button" class="primary" disabled={isBusy} onClick={test}>
          Send test event
        </button>
        <button type="button" disabled={isBusy} onClick={turn}>
          {hook.active ? 'Pause' : 'Resume'}
        </button>
        <button type="button" onClick={() => setOpened('edit')}>
          Edit
        </button>
        <button type="button" onClick={() => setOpened('rotate')}>
          Rotate secret
        </button>
        <button type="button" class="danger" onClick={() => setOpened('delete')}>
          Delete
        </button>
      </div>
      {error !== null && <Failure error={error} />}
      {opened !== null && (
        <Dialogs
          opened={opened}
          hook={hook}
          path={path}
          close={() => setOpened(null)}
          refresh={refresh}
        />
      )}
    </>
  );
}

function Dialogs({
  opened,
  hook,
  path,
  close,
  refresh,
}: {
  readonly opened: Opened;
  readonly hook: WebhookDetails;
  readonly path: string;
  readonly close: () => void;
  readonly refresh: () => void;
}) {
  const { say } = useHere();
  const { route } = useLocation();
  const url = usePageUrl();
  switch (opened) {
    case 'edit':
      return (
        <EditEndpoint
          of={hook}
          close={close}
          edited={() => {
            close();
            say('The endpoint is saved.');
            refresh();
          }}
        />
      );
    case 'rotate':
      return <RotateSecret of={hook} close={close} rotated={refresh} />;
    case 'delete':
      return (
        <Confirm
          title="Delete this endpoint?"
          act="Delete"
          close={close}
          perform={async () => {
            await ask(path, undefined, 'DELETE');
            say('The endpoint is deleted.');
            route(url('webhooks'));
          }}
        >
          {hook.url} receives no more events, and its attempts are deleted. This cannot be undone.
        </Confirm>
      );
  }
}
