/** What the installation's owner sees: tenants and their plans, nodes, the installation's audit. */

import { ask } from '../api.ts';
import type { Context } from '../page.ts';
import { pageUrl } from '../place.ts';
import type { Page } from '../types.ts';
import { confirm, openDialog } from '../ui/dialog.ts';
import { button, el, link, withAttributes } from '../ui/dom.ts';
import { form } from '../ui/form.ts';
import { makeTable } from '../ui/table.ts';
import { time } from '../ui/time.ts';
import { auditChain } from './audit.ts';

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

export async function installation(context: Context): Promise<HTMLElement> {
  const nodes = makeTable<Node>(
    'Nodes',
    [
      { title: 'Node', cell: ({ id, self }) => el('code', 'id', self ? `${id} (this one)` : id) },
      {
        title: 'State',
        cell: ({ alive }) =>
          el('span', `badge ${alive ? 'active' : 'ended'}`, alive ? 'alive' : 'gone'),
      },
      { title: 'Last sign of life', cell: ({ aliveAt }) => time(aliveAt) },
    ],
    ({ id }) => id,
    'No node.',
  );
  const tenants = makeTenants();
  const refresh = async (): Promise<void> => {
    nodes.show((await ask<Page<Node>>('/operator/nodes')).data);
    await tenants.refresh();
  };
  await refresh();
  context.every(REFRESH_MS, refresh);
  return el(
    'div',
    '',
    el('h1', '', 'Installation'),
    el('p', 'lead', 'For its owner alone.'),
    el(
      'section',
      'card',
      el('h2', '', 'Tenants'),
      el(
        'div',
        'actions',
        button('primary', 'New tenant', () => openMaking(context)),
      ),
      tenants.element,
    ),
    el('section', 'card', el('h2', '', 'Nodes'), nodes.element),
    el('section', 'card', el('h2', '', 'Audit'), await auditChain('/operator/audit')),
  );
}

function makeTenants() {
  const table = makeTable<Tenant>(
    'Tenants',
    [
      {
        title: 'Name',
        cell: ({ name, slug }) => link(pageUrl(slug, 'test', 'overview'), '', name),
      },
      { title: 'Slug', cell: ({ slug }) => el('code', '', slug) },
      { title: 'Plan', cell: (tenant) => planChoice(tenant) },
      {
        title: 'State',
        cell: ({ active }) =>
          el('span', `badge ${active ? 'active' : 'failed'}`, active ? 'active' : 'suspended'),
      },
      { title: 'Made', cell: ({ createdAt }) => time(createdAt) },
      { title: 'Actions', cell: (tenant) => switcher(tenant) },
    ],
    ({ id }) => id,
    'No tenant yet: make the first one.',
  );
  const refresh = async (): Promise<void> => {
    table.show((await ask<Page<Tenant>>('/operator/tenants')).data);
  };
  const change = async (id: string, body: object): Promise<void> => {
    try {
      await ask(`/operator/tenants/${id}`, body);
    } finally {
      await refresh();
    }
  };
  function planChoice({ id, plan, name }: Tenant): HTMLElement {
    const choice = withAttributes(el('select', ''), { 'aria-label': `Plan of ${name}` });
    for (const each of PLANS) {
      const option = withAttributes(el('option', '', each), { value: each });
      option.selected = each === plan;
      choice.append(option);
    }
    choice.addEventListener('change', async () => {
      try {
        await change(id, { plan: choice.value });
      } finally {
        choice.value = plan; // Another stands in a row of its own by now; this one was refused.
      }
    });
    return choice;
  }
  function switcher({ id, name, active }: Tenant): HTMLElement {
    if (!active) return button('small', 'Activate', () => change(id, { active: true }));
    return button('small danger', 'Suspend', async () => {
      const text = 'All its keys are refused, and what is open ends.';
      if (await confirm(`Suspend ${name}?`, text, 'Suspend')) await change(id, { active: false });
    });
  }
  return { element: table.element, refresh };
}

function openMaking({ go }: Context): void {
  const dialog = openDialog(
    'New tenant',
    form(
      [
        { name: 'name', label: 'Name' },
        {
          name: 'slug',
          label: 'Slug',
          required: false,
          hint: 'In addresses; small letters, digits, dashes. Empty: made of the name.',
        },
        { name: 'plan', label: 'Plan', options: PLANS.map((plan) => [plan, plan] as const) },
      ],
      'Make the tenant',
      async ({ name, slug, plan }) => {
        const body = { name, plan, ...(slug === '' ? {} : { slug }) };
        const made = await ask<Tenant>('/operator/tenants', body);
        dialog.close();
        go(pageUrl(made.slug, 'test', 'overview'));
      },
      button('', 'Cancel', () => dialog.close()),
    ),
  );
}
