/** Dialogs that create, change and rotate an API key. */

import { ask } from '../api.ts';
import { useHere } from '../here.ts';
import { Dialog } from '../parts/dialog.tsx';
import { type Field, Form, type Values } from '../parts/form.tsx';
import { overlapField } from '../parts/overlap-field.ts';
import type { Key } from '../types.ts';

export type MadeKey = Key & { readonly key: string; readonly overlapUntil?: string };

/** The scopes of a restricted key, and what each allows. */
const SCOPES = [
  ['read', 'reads everything and changes nothing'],
  ['sessions', 'creates, joins and ends sessions, plays bots'],
  ['matchmaking', 'runs tickets and groups, starts matches'],
  ['players', 'issues lobby tokens, exports and erases players'],
  ['admin', 'changes bots, webhooks and integrity credentials'],
] as const;

function keyFields(key: Key | null): readonly Field[] {
  return [
    {
      name: 'name',
      label: 'Name',
      value: key?.name ?? '',
      hint: 'Where it is used, e.g. backend.',
    },
    {
      name: 'origins',
      label: 'Origins',
      type: 'textarea',
      required: false,
      value: key?.origins.join('\n') ?? '',
      hint: 'One a line, e.g. https://example.com or https://*.example.com. Empty: any.',
    },
    {
      name: 'requireOrigin',
      label: 'Requests without an origin',
      value: String(key?.requireOrigin ?? false),
      options: [
        ['false', 'are accepted: servers send none'],
        ['true', 'are rejected'],
      ],
    },
    {
      name: 'expiresAt',
      label: 'Expires',
      type: 'datetime-local',
      required: false,
      hint: 'In your own time zone. Empty: never.',
      value: key?.expiresAt == null ? '' : toLocal(key.expiresAt),
    },
  ];
}

/** Scopes are fixed when the key is created. */
const SCOPE_FIELDS: readonly Field[] = [
  {
    name: 'access',
    label: 'Access',
    value: 'all',
    options: [
      ['all', 'Everything'],
      ['scopes', 'Only the scopes ticked below'],
    ],
    hint: 'It cannot be changed later.',
  },
  {
    name: 'scopes',
    label: 'Scopes',
    checks: SCOPES.map(([scope, words]) => [scope, scope, words] as const),
  },
];

function scopesOf(values: Values): object {
  if (values['access'] !== 'scopes') return {};
  return { scopes: SCOPES.map(([scope]) => scope).filter((scope) => scope in values) };
}

/** In the format of the browser's field: local time, no zone. */
function toLocal(iso: string): string {
  const at = new Date(iso);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

function toBody({ name, origins, requireOrigin, expiresAt }: Values): object {
  return {
    name,
    origins: origins!.split(/\s+/).filter(Boolean),
    requireOrigin: requireOrigin === 'true',
    expiresAt: expiresAt === '' ? null : new Date(expiresAt!).toISOString(),
  };
}

export function CreateKey({
  close,
  created,
}: {
  readonly close: () => void;
  readonly created: (made: MadeKey) => void;
}) {
  const { api, world } = useHere();
  return (
    <Dialog title={`Create a ${world} key`} close={close}>
      <Form
        fields={[...keyFields(null), ...SCOPE_FIELDS]}
        action="Create key"
        cancel={close}
        submit={async (values) =>
          created(await ask<MadeKey>(`${api}/keys`, { ...toBody(values), ...scopesOf(values) }))
        }
      />
    </Dialog>
  );
}

export function ChangeKey({
  of: key,
  close,
  changed,
}: {
  readonly of: Key;
  readonly close: () => void;
  readonly changed: () => void;
}) {
  const { api } = useHere();
  return (
    <Dialog title={`Change ${key.name}`} close={close}>
      <Form
        fields={keyFields(key)}
        action="Save"
        cancel={close}
        submit={async (values) => {
          await ask(`${api}/keys/${key.id}`, toBody(values));
          changed();
        }}
      />
    </Dialog>
  );
}

export function RotateKey({
  of: key,
  close,
  rotated,
}: {
  readonly of: Key;
  readonly close: () => void;
  readonly rotated: (made: MadeKey) => void;
}) {
  const { api } = useHere();
  return (
    <Dialog title={`Rotate ${key.name}`} close={close}>
      <ol class="numbered">
        <li>You get a new secret. It is shown once.</li>
        <li>Both secrets are accepted until the old one ends. Deploy the new one meanwhile.</li>
        <li>Watch the old secret’s last use here, and end it early when nothing uses it.</li>
      </ol>
      <Form
        fields={[overlapField('key')]}
        action="Rotate"
        cancel={close}
        submit={async ({ overlap }) =>
          rotated(
            await ask<MadeKey>(`${api}/keys/${key.id}/rotate`, { overlapSeconds: Number(overlap) }),
          )
        }
      />
    </Dialog>
  );
}
