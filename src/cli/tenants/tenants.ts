/** `matchd tenants`: the users of the service, their plans and limits. */

import type { CoreStore } from '../../store/store.ts';
import type { LimitName } from '../../tenancy/limits.ts';
import { isLimitName, LIMIT_MAX, LIMIT_NAMES, limitMin, parseLimit } from '../../tenancy/limits.ts';
import { isSlug, makeSlug } from '../../tenancy/slug.ts';
import type { PlanName, Tenant, TenantLimits } from '../../tenancy/tenant.ts';
import { limitsOf, PLAN_NAMES } from '../../tenancy/tenant.ts';
import type { Workshop } from '../store/workshop.ts';
import { findTenant, makeAudit, parseName } from '../store/workshop.ts';
import type { Answer, Refusal, Report } from '../terminal/answer.ts';
import { failed, isRefusal, wrongUsage } from '../terminal/answer.ts';
import { printFields, printTable } from '../terminal/text-table.ts';
import { printTime } from '../terminal/time-text.ts';

export interface TenantCreateOptions {
  readonly name: string;
  readonly plan: string;
  readonly slug?: string;
}

export interface TenantUpdateOptions {
  readonly name?: string;
  readonly plan?: string;
  /** Texts like `sockets=500`. */
  readonly limits?: readonly string[];
  readonly suspend?: boolean;
  readonly activate?: boolean;
}

export async function createTenant(
  { store, clock, makeId }: Workshop,
  options: TenantCreateOptions,
): Promise<Answer> {
  const name = parseName(options.name);
  if (typeof name !== 'string') return name;
  const plan = parsePlan(options.plan);
  if (typeof plan !== 'string') return plan;
  const createdAt = clock.now();
  const whole = { id: makeId('ten'), name, plan, active: true, limits: {}, createdAt };
  // Another process may take the slug first: then the next round chooses another, or says that it is taken.
  for (;;) {
    const slug = await chooseSlug(store, name, options.slug);
    if (typeof slug !== 'string') return slug;
    const tenant: Tenant = { ...whole, slug };
    if ((await insertTenant(store, tenant)) === 'created') return reportTenant(tenant);
  }
}

async function insertTenant(
  store: Pick<CoreStore, 'createTenant' | 'findTenant'>,
  tenant: Tenant,
): Promise<'created' | 'slug_taken'> {
  const { id, createdAt } = tenant;
  try {
    return await store.createTenant(tenant, makeAudit(id, 'tenant.created', id, createdAt));
  } catch (error) {
    // The store may have created the tenant without being able to say so.
    if ((await store.findTenant(id)) !== null) return 'created';
    throw error;
  }
}

export async function listTenants({ store }: Workshop): Promise<Answer> {
  const tenants = await store.listTenants();
  const rows = tenants.map((tenant) => [
    tenant.id,
    tenant.slug,
    tenant.plan,
    statusOf(tenant),
    printTime(tenant.createdAt) ?? '',
    tenant.name,
  ]);
  return {
    json: { data: tenants.map(tenantJson) },
    text: printTable(['ID', 'SLUG', 'PLAN', 'STATUS', 'CREATED', 'NAME'], rows, 'No tenants yet.'),
  };
}

export async function showTenant({ store }: Workshop, name: string): Promise<Answer> {
  const tenant = await findTenant(store, name);
  return isRefusal(tenant) ? tenant : reportTenant(tenant);
}

export async function updateTenant(
  { store, clock }: Workshop,
  name: string,
  options: TenantUpdateOptions,
): Promise<Answer> {
  const asked = parseChange(options);
  if (isRefusal(asked)) return asked;
  const tenant = await findTenant(store, name);
  if (isRefusal(tenant)) return tenant;
  const limits = nextLimits(tenant, asked.fields.plan ?? tenant.plan, asked.limits);
  if ('error' in limits) return limits;
  const audit = makeAudit(tenant.id, 'tenant.updated', tenant.id, clock.now());
  const change = { ...asked.fields, limits };
  await store.updateTenant(tenant.id, change, audit);
  return reportTenant({ ...tenant, ...change });
}

interface RequestedChange {
  readonly fields: Partial<Pick<Tenant, 'name' | 'plan' | 'active'>>;
  /** `plan` takes an own limit away. */
  readonly limits: ReadonlyMap<LimitName, number | null | 'plan'>;
}

function parseChange(options: TenantUpdateOptions): RequestedChange | Refusal {
  const { suspend = false, activate = false, limits: texts = [] } = options;
  if (suspend && activate) return wrongUsage('--suspend and --activate exclude each other');
  const name = options.name === undefined ? undefined : parseName(options.name);
  if (name !== undefined && typeof name !== 'string') return name;
  const plan = options.plan === undefined ? undefined : parsePlan(options.plan);
  if (plan !== undefined && typeof plan !== 'string') return plan;
  const limits = new Map<LimitName, number | null | 'plan'>();
  for (const text of texts) {
    const wrong = readLimit(text, limits);
    if (wrong !== null) return wrong;
  }
  const fields = {
    ...(name === undefined ? {} : { name }),
    ...(plan === undefined ? {} : { plan }),
    ...(suspend || activate ? { active: activate } : {}),
  };
  const isEmpty = Object.keys(fields).length === 0 && limits.size === 0;
  return isEmpty ? wrongUsage('Nothing to change: see --help') : { fields, limits };
}

/** Reads one `name=value` into the map, or returns its fault. */
function readLimit(text: string, limits: Map<LimitName, number | null | 'plan'>): Refusal | null {
  const [name = '', value = '', ...more] = text.split('=');
  if (!isLimitName(name)) {
    return wrongUsage(
      `There is no limit ${JSON.stringify(name)}. Valid: ${LIMIT_NAMES.join(', ')}`,
    );
  }
  const limit = value === 'plan' ? value : parseLimit(name, value);
  if (limit === undefined || more.length > 0) {
    const words = name === 'sessionsPerMonth' ? 'unlimited or plan' : 'or plan';
    return wrongUsage(`--limits ${name}: expected ${limitMin(name)} to ${LIMIT_MAX}, ${words}`);
  }
  limits.set(name, limit);
  return null;
}

/** The tenant's own limits after a change; outside enterprise there are none (rule H6). */
function nextLimits(
  tenant: Tenant,
  plan: PlanName,
  asked: RequestedChange['limits'],
): Partial<TenantLimits> | Refusal {
  if (plan !== 'enterprise') {
    const error = `Only enterprise has custom limits, and ${tenant.slug} is on ${plan}`;
    return asked.size === 0 ? {} : failed(error);
  }
  const kept = Object.entries(tenant.limits).filter(([name]) => !asked.has(name as LimitName));
  const set = [...asked].filter(([, value]) => value !== 'plan');
  return Object.fromEntries([...kept, ...set]);
}

function parsePlan(text: string): PlanName | Refusal {
  const plan = PLAN_NAMES.find((name) => name === text);
  return (
    plan ?? wrongUsage(`There is no plan ${JSON.stringify(text)}. Valid: ${PLAN_NAMES.join(', ')}`)
  );
}

async function chooseSlug(
  store: Pick<CoreStore, 'listTenants'>,
  name: string,
  asked: string | undefined,
): Promise<string | Refusal> {
  const taken = new Set((await store.listTenants()).map(({ slug }) => slug));
  if (asked === undefined) return makeSlug(name, taken);
  if (!isSlug(asked)) {
    return wrongUsage(
      'A slug is 1 to 40 of a to z, 0 to 9 and hyphens, no hyphen at the start or end',
    );
  }
  return taken.has(asked) ? failed(`The slug ${asked} is taken`) : asked;
}

function statusOf({ active }: Tenant): 'active' | 'suspended' {
  return active ? 'active' : 'suspended';
}

function tenantJson(tenant: Tenant): object {
  const { id, slug, name, plan } = tenant;
  const createdAt = printTime(tenant.createdAt);
  return { id, slug, name, plan, status: statusOf(tenant), limits: limitsOf(tenant), createdAt };
}

function reportTenant(tenant: Tenant): Report {
  const limits = Object.entries(limitsOf(tenant)).map(([name, value]): [string, string] => {
    const isOwn = Object.hasOwn(tenant.limits, name);
    return [name, `${value ?? 'unlimited'}${isOwn ? ' (custom)' : ''}`];
  });
  const text = printFields([
    ['id', tenant.id],
    ['slug', tenant.slug],
    ['name', tenant.name],
    ['plan', tenant.plan],
    ['status', statusOf(tenant)],
    ['created', printTime(tenant.createdAt) ?? ''],
    ...limits,
  ]);
  return { json: tenantJson(tenant), text };
}
