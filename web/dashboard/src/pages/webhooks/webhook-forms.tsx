/** Dialogs that add an endpoint, edit it, and rotate its secret step by step. */

import { useState } from 'preact/hooks';
import { ask } from '../../api.ts';
import { useHere } from '../../here.ts';
import { Dialog, ShowOnce } from '../../parts/dialog.tsx';
import { type Field, Form, type Values } from '../../parts/form.tsx';
import { overlapField } from '../../parts/overlap-field.ts';
import { Failure } from '../../parts/states.tsx';
import { exactTime } from '../../parts/time.tsx';
import { outcomeWords } from '../../words/webhook.ts';
import { EVENTS, type Outcome, type Webhook } from './webhook.ts';

function endpointFields(hook: Webhook | null): readonly Field[] {
  return [
    {
      name: 'url',
      label: 'URL',
      value: hook?.url ?? '',
      hint: 'https, on port 443 or 8443 of a public host.',
    },
    {
      name: 'description',
      label: 'Note',
      required: false,
      value: hook?.description ?? '',
      hint: 'Only your team sees it.',
    },
    {
      name: 'choice',
      label: 'Events',
      value: (hook?.events.length ?? 0) === 0 ? 'all' : 'some',
      options: [
        ['all', 'All but move.made, key.alert and audit.anchored'],
        ['some', 'Only those ticked below'],
      ],
    },
    {
      name: 'events',
      label: 'Event types',
      checks: Object.entries(EVENTS).map(([type, words]) => [type, type, words] as const),
      checked: hook?.events ?? [],
    },
  ];
}

function toBody(values: Values): object {
  const { url, description } = values;
  const events =
    values['choice'] === 'some' ? Object.keys(EVENTS).filter((type) => type in values) : [];
  // An empty list means all: the opposite of the choice.
  if (values['choice'] === 'some' && events.length === 0)
    throw new Error('Tick at least one event type.');
  return { url, description, events };
}

export function AddEndpoint({
  close,
  added,
}: {
  readonly close: () => void;
  readonly added: (secret: string) => void;
}) {
  const { api, world } = useHere();
  return (
    <Dialog title={`Add an endpoint for ${world} events`} close={close}>
      <Form
        fields={endpointFields(null)}
        action="Add endpoint"
        cancel={close}
        submit={async (values) => {
          const body = { ...toBody(values), mode: world };
          added((await ask<{ secret: string }>(`${api}/v1/webhooks`, body)).secret);
        }}
      />
    </Dialog>
  );
}

export function EditEndpoint({
  of: hook,
  close,
  edited,
}: {
  readonly of: Webhook;
  readonly close: () => void;
  readonly edited: () => void;
}) {
  const { api } = useHere();
  return (
    <Dialog title="Edit the endpoint" close={close}>
      <p class="hint">
        With another URL delivery starts over: waiting events are sent there at once.
      </p>
      <Form
        fields={endpointFields(hook)}
        action="Save"
        cancel={close}
        submit={async (values) => {
          await ask(`${api}/v1/webhooks/${hook.id}`, toBody(values), 'PATCH');
          edited();
        }}
      />
    </Dialog>
  );
}

interface Rotated {
  readonly secret: string;
  readonly previousSecretExpiresAt: string;
}

/** Three steps: when the old secret ends, storing the new one, testing it. */
export function RotateSecret({
  of: { id, url },
  close,
  rotated,
}: {
  readonly of: Webhook;
  readonly close: () => void;
  readonly rotated: () => void;
}) {
  const { api } = useHere();
  const path = `${api}/v1/webhooks/${id}`;
  const [made, setMade] = useState<Rotated | null>(null);
  const [isStored, setStored] = useState(false);
  if (made === null) {
    return (
      <Dialog title="Rotate the secret: step 1 of 3" close={close}>
        <p>
          You get a new signing secret for <code class="id">{url}</code>. Until the old one ends,
          each request is signed with both, so your endpoint can verify with either.
        </p>
        <Form
          fields={[overlapField('secret')]}
          action="Rotate"
          cancel={close}
          submit={async ({ overlap }) => {
            setMade(await ask<Rotated>(`${path}/rotate`, { overlapSeconds: Number(overlap) }));
            rotated();
          }}
        />
      </Dialog>
    );
  }
  return isStored ? (
    <TryOut path={path} made={made} close={close} />
  ) : (
    <ShowOnce
      title="Rotate the secret: step 2 of 3"
      text={made.secret}
      close={() => setStored(true)}
    >
      <p class="hint">{endWords(made)} Deploy this one to your endpoint now.</p>
    </ShowOnce>
  );
}

function endWords({ previousSecretExpiresAt }: Rotated): string {
  return Date.parse(previousSecretExpiresAt) <= Date.now()
    ? 'The old secret has ended.'
    : `Both secrets sign until ${exactTime(previousSecretExpiresAt)}.`;
}

function TryOut({
  path,
  made,
  close,
}: {
  readonly path: string;
  readonly made: Rotated;
  readonly close: () => void;
}) {
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const send = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      setOutcome(await ask<Outcome>(`${path}/test`, {}));
    } catch (reason) {
      setError(reason);
    }
    setBusy(false);
  };
  return (
    <Dialog title="Rotate the secret: step 3 of 3" close={close}>
      <p>
        When the new secret is deployed, send a test. An endpoint that verifies it answers with a
        2xx status. {endWords(made)}
      </p>
      {error !== null && <Failure error={error} />}
      <p class={outcome?.error === null ? 'good' : 'problem'} role="status">
        {outcome !== null && outcomeWords(outcome)}
      </p>
      <div class="actions">
        <button type="button" class="primary" disabled={isBusy} onClick={send}>
          Send test event
        </button>
        <button type="button" onClick={close}>
          Done
        </button>
      </div>
    </Dialog>
  );
}
