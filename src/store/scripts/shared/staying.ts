/** Whether what a process gathered may still be written of a tenant: nothing of one may come back after its removal (R3). */

/** A condition on rows named `given` with a `tenant`: it is there, and its removal has not begun. */
export const IS_STAYING = `EXISTS (SELECT 1 FROM tenant
  WHERE tenant.id = given.tenant AND tenant.removal_at IS NULL)`;
