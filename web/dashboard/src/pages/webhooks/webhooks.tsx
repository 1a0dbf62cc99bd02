/** Webhook endpoints with their state at a glance; or the one in the address. */

import { useState } from 'preact/hooks';
import { pageOf } from '../../all-rows.ts';
import { ask, isSignedOut } from '../../api.ts';
import { canEdit, useHere, usePageUrl } from '../../here.ts';
import { ShowOnce } from '../../parts/dialog.tsx';
import { Choice, useFilter } from '../../parts/list.tsx';
import { Answer } from '../../parts/states.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { useAllRows, useFetched } from '../../query.ts';
import type { Page } from '../../types.ts';
import {
  type Attempt,
  type Health,
  healthOf,
  successPercent,
  successWords,
} from '../../words/webhook.ts';
import { backlogWords, eventWords, stateOf, type Webhook, type WebhookDetails } from './webhook.ts';
import { AddEndpoint } from './webhook-forms.tsx';
import { WebhookPage } from './webhook-page.tsx';

const REFRESH_MS = 10_000;
/** Two calls for each endpoint. */
const HEALTH_MS = 30_000;
/** How many of the latest requests the list's metrics cover. */
const LATEST = 100;

const STATES = ['active', 'failing', 'paused', 'disabled'] as const;

type Known = Webhook & { readonly details: WebhookDetails | null; readonly health: Health | null };

export function WebhooksOrOne() {
  const { id } = useHere();
  return id === null ? <Webhooks /> : <WebhookPage key={id} id={id} />;
}

function Webhooks() {
  const here = useHere();
  const { api, world } = here;
  const url = usePageUrl();
  const state = useFilter('state');
  const hooks = useAllRows<Webhook>(`${api}/v1/webhooks?mode=${world}`, REFRESH_MS);
  const figures = useFigures(api, hooks.data ?? []);
  const [isAdding, setAdding] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <div>
      <h1>Webhooks</h1>
      <p class="lead">
        Endpoints of yours that receive the events of {world} mode, signed. Success and latency are
        those of the last {LATEST} requests.
      </p>
      <div class="actions">
        {canEdit(here) ? (
          <button type="button" class="primary" onClick={() => setAdding(true)}>
            Add endpoint
          </button>
        ) : (
          <p class="hint">Owners and developers can add and change endpoints.</p>
        )}
        <Choice label="Status" all="Any status" values={STATES} filter={state} />
      </div>
      <Answer of={hooks}>
        {(data) => (
          <Table<Known>
            label="Webhooks"
            columns={columns((id) => url('webhooks', id))}
            rows={data
              .map((hook) => ({ ...hook, details: null, health: null, ...figures?.get(hook.id) }))
              .filter((hook) => state[0] === '' || stateOf(hook)[0].startsWith(state[0]))}
            keyOf={({ id }) => id}
            empty={
              data.length === 0
                ? 'No webhooks yet. Add an endpoint to receive events.'
                : 'No endpoints match this filter.'
            }
            csv={`webhooks-${world}`}
          />
        )}
      </Answer>
      {isAdding && (
        <AddEndpoint
          close={() => setAdding(false)}
          added={(text) => {
            setAdding(false);
            setSecret(text);
            void hooks.refetch();
          }}
        />
      )}
      {secret !== null && (
        <ShowOnce title="The signing secret" text={secret} close={() => setSecret(null)}>
          <p class="hint">
            Verify the signature of each request with it.{' '}
            <a href="/docs/guides/webhooks" target="_blank" rel="noreferrer">
              How to verify
            </a>
          </p>
        </ShowOnce>
      )}
    </div>
  );
}

/** Metrics that are not part of the list, by endpoint; an endpoint whose call fails has none. */
function useFigures(api: string, hooks: readonly Webhook[]) {
  const ids = hooks.map(({ id }) => id);
  const read = async (id: string) => {
    const path = `${api}/v1/webhooks/${id}`;
    const [details, { data }] = await Promise.all([
      ask<WebhookDetails>(path),
      ask<Page<Attempt>>(pageOf(`${path}/deliveries`, LATEST, null)),
    ]);
    return { details, health: healthOf(data) };
  };
  const skip = (error: unknown): null => {
    if (isSignedOut(error)) throw error;
    return null;
  };
  const found = useFetched(
    ids.length === 0 ? null : `figures ${api} ${ids.join()}`,
    async () => {
      const all = await Promise.all(
        ids.map((id) => read(id).then((each) => [id, each] as const, skip)),
      );
      return new Map(all.filter((each) => each !== null));
    },
    HEALTH_MS,
  );
  return found.data;
}

function columns(href: (id: string) => string): readonly Column<Known>[] {
  return [
    {
      title: 'Endpoint',
      cell: ({ id, url }) => (
        <a class="id" href={href(id)}>
          {url}
        </a>
      ),
      value: ({ url }) => url,
    },
    {
      title: 'Status',
      cell: (hook) => {
        const [words, tone] = stateOf(hook);
        return (
          <>
            <span class={`badge ${tone}`}>{words}</span>
            {hook.failingSince !== null && (
              <p class="hint">
                since <Time at={hook.failingSince} />
              </p>
            )}
          </>
        );
      },
      value: (hook) => stateOf(hook)[0],
    },
    {
      title: 'Success',
      cell: ({ health }) => (health === null ? '—' : successWords(health)),
      value: ({ health }) => health && successPercent(health),
    },
    {
      title: 'Latency',
      cell: ({ health }) => (health?.p50Ms == null ? '—' : `${health.p50Ms} ms`),
      value: ({ health }) => health?.p50Ms ?? null,
    },
    {
      title: 'Backlog',
      cell: ({ details }) => (details === null ? '—' : backlogWords(details)),
      value: ({ details }) => details?.backlog.events ?? null,
    },
    { title: 'Events', cell: eventWords, value: eventWords },
    {
      title: 'Note',
      cell: ({ description }) => description || '—',
      value: ({ description }) => description,
    },
  ];
}
