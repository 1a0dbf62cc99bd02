/** Turns: locks for what one transaction at a time may do per tenant, e.g. add to something capped. */

import type { Tx } from './script.ts';

/**
 * Waits until no other transaction has the turn of that name in the tenant, and keeps it to the
 * end. What is read afterwards stays true, if all writers take the turn. It is the lock on a
 * counter's row; the counter itself counts nothing.
 */
export async function takeTurn(tx: Tx, tenant: string, name: string): Promise<void> {
  await tx.run(
    `INSERT INTO counter (tenant, name, n) VALUES (:tenant, :name, 0)
     ON CONFLICT (tenant, name) DO UPDATE SET n = counter.n`,
    { tenant, name: `turn:${name}` },
  );
}
