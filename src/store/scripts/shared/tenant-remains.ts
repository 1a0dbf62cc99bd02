/**
 * Whether data gathered in memory may still be written for a tenant: nothing may reappear after its
 * removal (R3).
 */

/** A condition on rows named `given` with a `tenant`: the tenant exists, and its removal has not begun. */
export const TENANT_REMAINS = `EXISTS (SELECT 1 FROM tenant
  WHERE tenant.id = given.tenant AND tenant.removal_at IS NULL)`;
