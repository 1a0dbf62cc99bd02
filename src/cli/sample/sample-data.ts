/**
 * `--sample-data`: a tenant with a month of play, to explore the dashboard with. All of it belongs
 * to a tenant of its own, which is named accordingly, and is written only if there is no tenant but
 * the demo's.
 */

import type { Games } from '../../games/games.ts';
import type { MakeId } from '../../runtime/ids.ts';
import type { Clock, Randomness } from '../../runtime/ports.ts';
import type { Seals } from '../../runtime/signing/seals.ts';
import type { Store } from '../../store/whole-store.ts';
import { makeKeyText } from '../../tenancy/key-text.ts';
import { type KeyMode, limitsOf, type Tenant } from '../../tenancy/tenant.ts';
import { makeSecret, SECRET_BYTES } from '../../webhooks/signature.ts';
import { SLUG as DEMO_SLUG } from '../store/dev-tenant.ts';
import { writeBots } from './bots.ts';
import { type Chance, makeChance } from './chance.ts';
import {
  ATTEMPTS_MS,
  deliver,
  readEvents,
  SAMPLE_WEBHOOKS,
  type SampleWebhook,
} from './deliveries.ts';
import { countFigures } from './figures.ts';
import { makeIdsAt } from './ids-at.ts';
import { DAY_MS, DAYS, HOUR_MS, planMonth } from './month.ts';
import { makePeople } from './people.ts';
import { planRequests } from './requests.ts';
import { SAMPLE_SLUG } from './slug.ts';
import { writeTickets } from './tickets.ts';
import { writeCredentials } from './verdicts.ts';
import { makeMatch, type PastMatch, type WrittenMatch, writeMatches } from './write-match.ts';

const NAME = 'Sample data';
/** As long as it is not whole. */
const UNFINISHED = 'Sample data (not complete)';
/** The same month each time, whenever it is written. */
const SEED = 20_261_127;
/** Matches written together. */
const MATCHES_MAX = 25;
/** Request rows written in one statement. */
const ROWS_MAX = 1_000;

export interface SampleDeps {
  readonly store: Store;
  readonly games: Games;
  readonly seals: Pick<Seals, 'make'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly randomness: Randomness;
  readonly makeId: MakeId;
  readonly node: string;
}

export type SampleOutcome = 'written' | 'there already';

/**
 * Throws where there is a tenant beside that of development, or sample data that are not whole. Null where there is room
 * for them, else the tenant that has them.
 */
export async function findSampleTenant(
  store: Pick<Store, 'listTenants'>,
): Promise<Pick<Tenant, 'id'> | null> {
  const tenants = await store.listTenants();
  const others = tenants.filter(({ slug }) => slug !== DEMO_SLUG && slug !== SAMPLE_SLUG);
  if (others.length > 0) {
    const names = others.map(({ slug }) => slug).join(', ');
    throw new Error(
      `--sample-data is for an empty data folder: this one has other tenants (${names}). Start with another --data`,
    );
  }
  const known = tenants.find(({ slug }) => slug === SAMPLE_SLUG) ?? null;
  if (known !== null && known.name !== NAME) {
    throw new Error(
      `the tenant "${SAMPLE_SLUG}" is not sample data, or was not written completely: start with another --data, or delete the tenant`,
    );
  }
  return known;
}

/** Throws, and changes nothing, where `findSampleTenant` does. */
export async function openSampleData(deps: SampleDeps): Promise<SampleOutcome> {
  if ((await findSampleTenant(deps.store)) !== null) return 'there already';
  await write(deps);
  return 'written';
}

async function write(deps: SampleDeps): Promise<void> {
  const { store, clock, games, randomness, node } = deps;
  const now = clock.now();
  const chance = makeChance(SEED);
  const tenant = await makeTenant(deps, now - DAYS * DAY_MS - DAY_MS);
  const keys = {
    live: await makeKey(deps, tenant, 'live'),
    test: await makeKey(deps, tenant, 'test'),
  };
  await writeBots(
    store,
    tenant,
    makeIdsAt(() => tenant.createdAt, randomness),
  );
  await writeCredentials(store, tenant);
  const people = makePeople(chance);
  const month = planMonth(games, people, now, chance);
  const running = month.filter(({ course }) => course === 'under way');
  const over = month.filter((past) => !running.includes(past));
  const past = await playAll(deps, tenant, over, now - ATTEMPTS_MS - HOUR_MS, chance);
  for (const mode of ['live', 'test'] as const) {
    const playing = running.flatMap((match) => (match.mode === mode ? match.people : []));
    const free = people.filter((person) => !playing.includes(person));
    await writeTickets(store, { tenant, mode, node, now, people: free }, randomness);
  }
  const { matches: current } = await playAll(deps, tenant, running, now, chance);
  const matches = [...past.matches, ...current];
  const requests = planRequests({ tenant: tenant.id, keys, matches, now }, randomness, chance);
  for (let from = 0; from < requests.length; from += ROWS_MAX) {
    await store.logRequests(requests.slice(from, from + ROWS_MAX));
  }
  const events = await readEvents(store, tenant.id, past.head);
  const delivered = [];
  for (const webhook of SAMPLE_WEBHOOKS) {
    const deliveries = deliver(webhook, events, now, chance);
    await writeWebhook(deps, tenant, webhook, deliveries);
    delivered.push(...deliveries.attempts);
  }
  await store.addMinutes(
    countFigures({ tenant: tenant.id, node, now, matches, requests, attempts: delivered }, chance),
  );
  await writeSteps(deps, tenant, now);
  const audit = {
    tenant: tenant.id,
    actor: 'dev',
    act: 'tenant.updated',
    object: tenant.id,
    at: now,
  };
  await store.updateTenant(tenant.id, { name: NAME }, audit);
}

/**
 * Plays one part of the month while the part before is written. `head` is where the live log was
 * before the first match after `from`.
 */
async function playAll(
  deps: SampleDeps,
  tenant: Tenant,
  month: readonly PastMatch[],
  from: number,
  chance: Chance,
): Promise<{ readonly matches: readonly WrittenMatch[]; readonly head: number }> {
  const { store } = deps;
  const maker = { ...deps, tenant, minds: new Map() };
  const matches: WrittenMatch[] = [];
  let head: number | null = null;
  let writing: Promise<unknown> = Promise.resolve();
  for (let start = 0; start < month.length; start += MATCHES_MAX) {
    const part = month.slice(start, start + MATCHES_MAX);
    const played = part.map((past) => makeMatch(maker, past, chance));
    await writing;
    if (part.some(({ at }) => at > from)) {
      head ??= await store.eventHead({ tenant: tenant.id, mode: 'live' });
    }
    writing = writeMatches(store, played);
    // It is awaited later: until then no failure of it is unhandled.
    writing.catch(() => {});
    matches.push(...played.map(({ written }) => written));
  }
  await writing;
  return { matches, head: head ?? 0 };
}

async function makeTenant({ store, makeId }: SampleDeps, createdAt: number): Promise<Tenant> {
  const id = makeId('ten');
  const tenant: Tenant = {
    id,
    slug: SAMPLE_SLUG,
    name: UNFINISHED,
    plan: 'pro',
    active: true,
    limits: {},
    createdAt,
  };
  const audit = { tenant: id, actor: 'dev', act: 'tenant.created', object: id, at: createdAt };
  if ((await store.createTenant(tenant, audit)) === 'slug_taken') {
    throw new Error(`there is a tenant "${SAMPLE_SLUG}" already`);
  }
  return tenant;
}

/** Its text is not shown: create another to call the API as the sample tenant. */
async function makeKey(
  { store, randomness, makeId, clock }: SampleDeps,
  { id: tenant, createdAt }: Tenant,
  mode: KeyMode,
): Promise<string> {
  const { id: secret, hash, hint } = makeKeyText(mode, (count) => randomness.bytes(count));
  const id = makeId('key');
  const key = {
    id,
    tenant,
    mode,
    name: `sample ${mode}`,
    scopes: null,
    requireOrigin: false,
    hint,
    origins: mode === 'live' ? ['https://shop.sample.invalid'] : [],
    createdAt,
    expiresAt: null,
    revokedAt: null,
    lastUsedAt: clock.now(),
  };
  const audit = { tenant, actor: 'dev', act: 'key.created', object: id, at: createdAt };
  await store.createKey(key, { id: secret, hash }, audit);
  return id;
}

async function writeWebhook(
  { store, randomness }: SampleDeps,
  tenant: Tenant,
  { url, description, types }: SampleWebhook,
  { attempts, outstanding, failingSince }: ReturnType<typeof deliver>,
): Promise<void> {
  const { createdAt } = tenant;
  // As old as the tenant.
  const makeId = makeIdsAt(() => createdAt, randomness);
  const id = makeId('whk');
  const secrets = [{ text: makeSecret(randomness.bytes(SECRET_BYTES)), expiresAt: null }];
  const audit = {
    tenant: tenant.id,
    actor: 'dev',
    act: 'webhook.created',
    object: id,
    at: createdAt,
  };
  await store.createWebhook({
    webhook: { id, tenant: tenant.id, mode: 'live', url, description, types, secrets, createdAt },
    webhooksMax: limitsOf(tenant).webhooks,
    audit,
    idempotency: null,
  });
  const cursor = await store.eventHead({ tenant: tenant.id, mode: 'live' });
  await store.recordProgress({
    webhook: id,
    epoch: 0,
    cursor,
    changed: outstanding,
    settled: [],
    attempts,
    failingSince,
    disable: null,
  });
}

/** Steps that a tenant with matches completed long ago. */
async function writeSteps({ store }: SampleDeps, tenant: Tenant, now: number): Promise<void> {
  const names = ['key_created', 'key_used', 'session_created', 'match_started', 'match_ended'];
  const at = Math.min(now, tenant.createdAt + DAY_MS);
  for (const mode of ['live', 'test'] as const) {
    await store.addMilestones(
      tenant.id,
      mode,
      names.map((name) => ({ name, at })),
    );
  }
}
