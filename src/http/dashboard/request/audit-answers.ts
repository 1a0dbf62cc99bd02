/** A chain of the audit: its rows by a filter, and its verification against the caller's anchor (rule D8). */

import type { ChainedAudit } from '../../../accounts/audit-chain.ts';
import { isProblem, makeProblem, type Problem } from '../../../contract/errors.ts';
import type { FieldsOf } from '../../../contract/routes/dashboard-routes.ts';
import { makeTime } from '../../../match/frames/frames.ts';
import type { Reply } from '../../request/exchange.ts';
import type { DashboardDeps } from '../deps.ts';
import { ok } from './dashboard-request.ts';

const PAGE_DEFAULT = 50;
/** Actions, and authors, that are offered as filters. */
const NAMES_MAX = 500;
const MEMBER = /^member:(.+)$/;

// `tenant` is empty for the installation's chain.

export async function pageOfAudit(
  dashboard: DashboardDeps,
  tenant: string,
  { limit = PAGE_DEFAULT, cursor, act, actor, from, to }: FieldsOf<'listAudit'>,
): Promise<Reply | Problem> {
  const before = cursor === undefined ? null : parseNumber(cursor);
  if (isProblem(before)) return before;
  const span = { from: timeOf(from), to: timeOf(to) };
  const filter = { tenant, act: act ?? null, actor: actor ?? null, ...span, before };
  const rows = await dashboard.journal.listAudit({ ...filter, limit: limit + 1 });
  const page = rows.slice(0, limit);
  return ok({
    data: await presentAll(dashboard, tenant, page),
    nextCursor: rows.length > limit ? String(page.at(-1)!.n) : null,
  });
}

/** The filters of a chain. */
export async function namesOfAudit(dashboard: DashboardDeps, tenant: string): Promise<Reply> {
  const { acts, actors } = await dashboard.journal.listAuditNames(tenant, NAMES_MAX);
  const names = await namesOf(dashboard, tenant, actors);
  return ok({ acts, actors: actors.map((actor) => ({ actor, name: names.get(actor) ?? null })) });
}

function parseNumber(text: string): number | Problem {
  return /^\d{1,15}$/.test(text) ? Number(text) : makeProblem('invalid_field', { field: 'cursor' });
}

function timeOf(text: string | undefined): number | null {
  return text === undefined ? null : Date.parse(text);
}

async function presentAll(
  dashboard: DashboardDeps,
  tenant: string,
  rows: readonly ChainedAudit[],
): Promise<readonly object[]> {
  const names = await namesOf(
    dashboard,
    tenant,
    rows.map(({ actor }) => actor),
  );
  return rows.map(({ n, at, actor, act, object, hash }) => {
    return { n, at: makeTime(at), actor, name: names.get(actor) ?? null, act, object, hash };
  });
}

/** Current names of members and keys, for the ids in the rows. */
async function namesOf(
  { accounts, keys }: DashboardDeps,
  tenant: string,
  actors: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>(
    (await keys.list(tenant)).map(({ id, name }) => [`key:${id}`, name] as const),
  );
  const nameMember = async (actor: string): Promise<void> => {
    const account = MEMBER.exec(actor)?.[1];
    const name = account === undefined ? null : await accounts.nameOf(account);
    if (name !== null) names.set(actor, name);
  };
  await Promise.all([...new Set(actors)].map(nameMember));
  return names;
}

export async function verifyChain(
  { audit }: DashboardDeps,
  tenant: string,
  { anchor }: FieldsOf<'verifyAudit'>,
): Promise<Reply | Problem> {
  if (anchor == null) return ok(await verify(audit, tenant, []));
  const signature = audit.checkAnchor(anchor);
  if (anchor.tenant !== tenant || signature === 'invalid') {
    return makeProblem('invalid_field', { field: 'anchor' });
  }
  return ok({ ...(await verify(audit, tenant, [anchor])), anchorSignature: signature });
}

async function verify(
  audit: DashboardDeps['audit'],
  tenant: string,
  seen: readonly { readonly n: number; readonly hash: string }[],
) {
  const verified = await audit.verify(tenant, seen);
  return { ...verified, anchor: audit.anchorOf(tenant, verified) };
}
