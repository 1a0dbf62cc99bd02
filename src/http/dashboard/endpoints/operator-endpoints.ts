/** The installation owner's view: tenants, plans, nodes, the installation's audit. */

import { makeDashboardProblem, makeProblem, type Problem } from '../../../contract/errors.ts';
import type { FieldsOf } from '../../../contract/routes/dashboard-routes.ts';
import { makeTime } from '../../../match/frames/frames.ts';
import { INSTALLATION } from '../../../runtime/accounts/logins.ts';
import type { AuditRow } from '../../../store/store.ts';
import { isSlug, makeSlug } from '../../../tenancy/slug.ts';
import { limitsOf, type Tenant } from '../../../tenancy/tenant.ts';
import type { Reply } from '../../request/exchange.ts';
import { makeReply } from '../../request/exchange.ts';
import type { SiteDeps } from '../deps.ts';
import { namesOfAudit, pageOfAudit, verifyChain } from '../request/audit-answers.ts';
import { type AccountRequest, actorOf, ok } from '../request/dashboard-request.ts';

/** A node without a heartbeat for this long is gone. */
const NODE_GONE_MS = 10_000;

type OperatorDeps = Pick<SiteDeps, 'clock' | 'makeId' | 'dashboard'>;

export function makeOperatorEndpoints(deps: OperatorDeps) {
  const { dashboard, clock } = deps;
  const { tenancy, journal } = dashboard;
  const auditOf = (asked: AccountRequest, tenant: string, act: string) => ({
    tenant,
    actor: actorOf(asked),
    act,
    object: tenant,
    at: clock.now(),
  });
  return {
    listTenants: async (): Promise<Reply> =>
      ok({ data: (await tenancy.listTenants()).map(presentTenant) }),
    createTenant: (asked: AccountRequest<FieldsOf<'createTenant'>>) =>
      createTenant(deps, asked, (tenant) => auditOf(asked, tenant, 'tenant.created')),
    async updateTenant(asked: AccountRequest<FieldsOf<'updateTenant'>>): Promise<Reply | Problem> {
      const { name, plan, active } = asked.fields;
      const tenant = await tenancy.findTenant(asked.params['id']!);
      if (tenant === null) return makeDashboardProblem('tenant_not_found');
      const change = {
        ...(name ? { name: name.trim() } : null),
        ...(plan == null ? null : { plan }),
        ...(active == null ? null : { active }),
        // Rule H6: custom limits exist with enterprise only.
        ...((plan ?? tenant.plan) === 'enterprise' ? null : { limits: {} }),
      };
      const act = active === false ? 'tenant.suspended' : 'tenant.updated';
      await tenancy.updateTenant(tenant.id, change, auditOf(asked, tenant.id, act));
      return ok(presentTenant({ ...tenant, ...change }));
    },
    async listNodes(): Promise<Reply> {
      const now = clock.now();
      const nodes = await journal.listNodes();
      return ok({
        data: nodes.map(({ id, aliveAt }) => ({
          id,
          aliveAt: makeTime(aliveAt),
          alive: now - aliveAt < NODE_GONE_MS,
          self: id === dashboard.node,
        })),
      });
    },
    listInstallationAudit: ({ fields }: AccountRequest<FieldsOf<'listInstallationAudit'>>) =>
      pageOfAudit(dashboard, INSTALLATION, fields),
    listInstallationAuditNames: () => namesOfAudit(dashboard, INSTALLATION),
    verifyInstallationAudit: ({ fields }: AccountRequest<FieldsOf<'verifyInstallationAudit'>>) =>
      verifyChain(dashboard, INSTALLATION, fields),
  };
}

/** A tenant with the requested slug, or one made from its name. */
async function createTenant(
  { dashboard: { tenancy }, clock, makeId }: OperatorDeps,
  { fields: { name, plan, slug } }: AccountRequest<FieldsOf<'createTenant'>>,
  auditOf: (tenant: string) => AuditRow,
): Promise<Reply | Problem> {
  if (slug && !isSlug(slug)) return makeProblem('invalid_field', { field: 'slug' });
  const id = makeId('ten');
  for (;;) {
    const taken = new Set((await tenancy.listTenants()).map((each) => each.slug));
    if (slug && taken.has(slug)) return makeDashboardProblem('slug_taken');
    const tenant: Tenant = {
      id,
      slug: slug || makeSlug(name, taken),
      name: name.trim(),
      plan,
      active: true,
      limits: {},
      createdAt: clock.now(),
    };
    const created = await tenancy.createTenant(tenant, auditOf(id));
    if (created === 'created') return makeReply(201, presentTenant(tenant));
    // Another request took the slug first: the next round chooses another, or reports that it is taken.
  }
}

function presentTenant(tenant: Tenant): object {
  const { id, slug, name, plan, active, createdAt } = tenant;
  return { id, slug, name, plan, active, limits: limitsOf(tenant), createdAt: makeTime(createdAt) };
}
