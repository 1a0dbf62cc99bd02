/** The operator's page: tenants and their plans, nodes, the installation's audit log. */

import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { ask } from '../api.ts';
import { useHere } from '../here.ts';
import { Confirm, Dialog } from '../parts/dialog.tsx';
import { Form } from '../parts/form.tsx';
import { Answer } from '../parts/states.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { pageUrl } from '../place.ts';
import { useAnswer, useClient } from '../query.ts';
import type { Page } from '../types.ts';
import { AuditChain } from './audit.tsx';

interface Tenant {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly plan: string;
  readonly active: boolean;
  readonly createdAt: string;
}

interface Node {
  readonly id: string;
  readonly aliveAt: string;
  readonly alive: boolean;
  readonly self: boolean;
}

const PLANS = ['starter', 'growth', 'pro', 'enterprise'] as const;
const REFRESH_MS = 5_000;

export function Installation() {
  const { me } = useHere();
  if (!me.isOperator) {
    return (
      <div>
        <h1>Installation</h1>
        <p class="lead">Only the owner of the installation can see this page.</p>
      </div>
    );
  }
  return (
    <div>
      <h1>Installation</h1>
      <p class="lead">All tenants and nodes. Only owners of the installation see this page.</p>
      <section class="card">
        <h2>Tenants</h2>
        <Tenants />
      </section>
      <section class="card">
        <h2>Nodes</h2>
        <Nodes />
      </section>
      <section class="card">
        <h2>Audit log of the installation</h2>
        <AuditChain path="/operator/audit" name="audit-of-the-installation" />
      </section>
    </div>
  );
}

function Nodes() {
  const nodes = useAnswer<Page<Node>>('/operator/nodes', REFRESH_MS);
  return (
    <Answer of={nodes}>
      {({ data }) => (
        <Table
          label="Nodes"
          rows={data}
          keyOf={({ id }) => id}
          empty="No nodes."
          columns={[
            {
              title: 'Node',
              cell: ({ id, self }) => <code class="id">{self ? `${id} (this one)` : id}</code>,
              value: ({ id }) => id,
            },
            {
              title: 'Status',
              cell: ({ alive }) => (
                <span class={`badge ${alive ? 'active' : 'ended'}`}>
                  {alive ? 'alive' : 'gone'}
                </span>
              ),
              value: ({ alive }) => (alive ? 'alive' : 'gone'),
            },
            {
              title: 'Last heartbeat',
              cell: ({ aliveAt }) => <Time at={aliveAt} />,
              value: ({ aliveAt }) => aliveAt,
            },
          ]}
        />
      )}
    </Answer>
  );
}

function Tenants() {
  const tenants = useAnswer<Page<Tenant>>('/operator/tenants', REFRESH_MS);
  const [isCreating, setCreating] = useState(false);
  const refresh = (): void => void tenants.refetch();
  return (
    <>
      <div class="actions">
        <button type="button" class="primary" onClick={() => setCreating(true)}>
          New tenant
        </button>
      </div>
      <Answer of={tenants}>
        {({ data }) => (
          <Table
            label="Tenants"
            rows={data}
            keyOf={({ id }) => id}
            empty="No tenants yet. Create the first one."
            csv="tenants"
            columns={columns(refresh)}
          />
        )}
      </Answer>
      {isCreating && <CreateTenant close={() => setCreating(false)} />}
    </>
  );
}

function columns(refresh: () => void): readonly Column<Tenant>[] {
  return [
    {
      title: 'Name',
      cell: ({ name, slug }) => <a href={pageUrl(slug, 'test', 'overview')}>{name}</a>,
      value: ({ name }) => name,
    },
    { title: 'Slug', cell: ({ slug }) => <code>{slug}</code>, value: ({ slug }) => slug },
    {
      title: 'Plan',
      cell: (tenant) => <PlanChoice of={tenant} refresh={refresh} />,
      value: ({ plan }) => plan,
    },
    {
      title: 'Status',
      cell: ({ active }) => (
        <span class={`badge ${active ? 'active' : 'failed'}`}>
          {active ? 'active' : 'suspended'}
        </span>
      ),
      value: ({ active }) => (active ? 'active' : 'suspended'),
    },
    {
      title: 'Created',
      cell: ({ createdAt }) => <Time at={createdAt} />,
      value: ({ createdAt }) => createdAt,
    },
    { title: 'Actions', cell: (tenant) => <Switch of={tenant} refresh={refresh} /> },
  ];
}

interface TenantProps {
  readonly of: Tenant;
  readonly refresh: () => void;
}

function PlanChoice({ of: { id, name, plan }, refresh }: TenantProps) {
  const { say } = useHere();
  return (
    <select
      aria-label={`Plan of ${name}`}
      value={plan}
      onChange={async ({ currentTarget: choice }) => {
        const { value } = choice;
        try {
          await ask(`/operator/tenants/${id}`, { plan: value });
          say(`${name} has the plan ${value}.`);
        } finally {
          // A refused choice is reverted; an accepted one comes with the list.
          choice.value = plan;
          refresh();
        }
      }}
    >
      {PLANS.map((each) => (
        <option key={each} value={each}>
          {each}
        </option>
      ))}
    </select>
  );
}

function Switch({ of: { id, name, active }, refresh }: TenantProps) {
  const { say } = useHere();
  const [isAsking, setAsking] = useState(false);
  const turn = async (next: boolean): Promise<void> => {
    await ask(`/operator/tenants/${id}`, { active: next });
    say(next ? `${name} is active.` : `${name} is suspended.`);
    refresh();
  };
  if (!active) {
    return (
      <button type="button" class="small" onClick={() => turn(true)}>
        Activate
      </button>
    );
  }
  return (
    <>
      <button type="button" class="small danger" onClick={() => setAsking(true)}>
        Suspend
      </button>
      {isAsking && (
        <Confirm
          title={`Suspend ${name}?`}
          act="Suspend"
          close={() => setAsking(false)}
          perform={() => turn(false)}
        >
          All its API keys are rejected, and its open connections are closed.
        </Confirm>
      )}
    </>
  );
}

function CreateTenant({ close }: { readonly close: () => void }) {
  const { route } = useLocation();
  const client = useClient();
  return (
    <Dialog title="New tenant" close={close}>
      <Form
        fields={[
          { name: 'name', label: 'Name' },
          {
            name: 'slug',
            label: 'Slug',
            required: false,
            hint: 'Stands in addresses: small letters, digits, dashes. Empty: derived from the name.',
          },
          { name: 'plan', label: 'Plan', options: PLANS.map((plan) => [plan, plan] as const) },
        ]}
        action="Create tenant"
        cancel={close}
        submit={async ({ name, slug, plan }) => {
          const body = { name, plan, ...(slug === '' ? {} : { slug }) };
          const made = await ask<Tenant>('/operator/tenants', body);
          await client.invalidateQueries({ queryKey: ['/me'] });
          close();
          route(pageUrl(made.slug, 'test', 'overview'));
        }}
      />
    </Dialog>
  );
}
