/** The getting-started list: steps that complete themselves when their condition is met. */

import { makeTime } from '../../../match/frames/frames.ts';
import type { SiteDeps } from '../deps.ts';
import type { WorldRequest } from '../request/dashboard-request.ts';

/** In the order of the list. */
const STEPS = [
  'key_created',
  'key_used',
  'session_created',
  'match_started',
  'match_ended',
  'origins_set',
  'webhook_added',
  'second_factor',
] as const;
type Step = (typeof STEPS)[number];

export interface StepView {
  readonly name: Step;
  /** When it was first seen complete; null while it is open. */
  readonly at: string | null;
}

type StepDeps = Pick<SiteDeps, 'clock' | 'webhooks' | 'dashboard'>;

/** A completed step stays complete, even after its sessions are swept. */
export async function firstSteps(
  { dashboard, clock, webhooks }: StepDeps,
  { tenant, world, signedIn }: WorldRequest,
): Promise<readonly StepView[]> {
  const { journal, keys } = dashboard;
  const known = new Map(
    (await journal.listMilestones(tenant.id, world)).map(({ name, at }) => [name, at]),
  );
  const [own, sessions, hooks] = await Promise.all([
    keys.list(tenant.id).then((all) => all.filter(({ mode }) => mode === world)),
    journal.sessionSteps(tenant.id, world),
    webhooks.list({ tenant: tenant.id, mode: world, before: null, limit: 1 }),
  ]);
  const taken: Readonly<Record<Step, boolean>> = {
    key_created: own.length > 0,
    key_used: own.some(({ lastUsedAt }) => lastUsedAt !== null),
    session_created: sessions.made,
    match_started: sessions.started,
    match_ended: sessions.ended,
    origins_set: own.some(({ origins }) => origins.length > 0),
    webhook_added: hooks.length > 0,
    second_factor: false,
  };
  const isGuarded =
    signedIn.account.totpSecret !== null ||
    (await dashboard.accounts.listPasskeys(signedIn)).length > 0;
  const now = clock.now();
  const fresh = STEPS.filter((name) => taken[name] && !known.has(name));
  if (fresh.length > 0) {
    const steps = fresh.map((name) => ({ name, at: now }));
    await journal.addMilestones(tenant.id, world, steps);
  }
  const at = (name: Step): number | null => {
    // The member's own step, not the tenant's: it is open again when the passkey is removed.
    if (name === 'second_factor') return isGuarded ? now : null;
    return known.get(name) ?? (taken[name] ? now : null);
  };
  return STEPS.map((name) => {
    const time = at(name);
    return { name, at: time === null ? null : makeTime(time) };
  });
}
