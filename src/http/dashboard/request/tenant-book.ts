/** A cache of all tenants, read again after a change: every dashboard request looks one up. */

import type { Tenant } from '../../../tenancy/tenant.ts';
import type { DashboardDeps } from '../deps.ts';

type Tenancy = DashboardDeps['tenancy'];

/** The same calls, with the list from memory. */
export function withTenantBook(tenancy: Tenancy): Tenancy {
  let book: { readonly revision: number; readonly tenants: readonly Tenant[] } = {
    revision: -1,
    tenants: [],
  };
  return {
    findTenant: (id) => tenancy.findTenant(id),
    createTenant: (tenant, audit) => tenancy.createTenant(tenant, audit),
    updateTenant: (id, change, audit) => tenancy.updateTenant(id, change, audit),
    tenancyRevision: () => tenancy.tenancyRevision(),
    async listTenants() {
      const revision = await tenancy.tenancyRevision();
      if (book.revision !== revision) book = { revision, tenants: await tenancy.listTenants() };
      return book.tenants;
    },
  };
}
