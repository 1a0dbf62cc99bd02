/** `matchd keys`: the API keys of tenants (rules K1, K2). A key's text is printed once, when made. */

import type { KeyChange } from '../../runtime/access/key-service.ts';
import {
  hintOfOld,
  KEYS_MAX,
  makeKeyService,
  OVERLAP_MS_MAX,
  statusOf,
} from '../../runtime/access/key-service.ts';
import type { CoreStore, OldSecret } from '../../store/store.ts';
import {
  KEY_SCOPES,
  type KeyScope,
  parseKeyScopes,
  presentScopes,
} from '../../tenancy/key-scopes.ts';
import { parseKeyHint, parseKeyText } from '../../tenancy/key-text.ts';
import { ORIGINS_MAX, parseOriginPattern } from '../../tenancy/origin.ts';
import type { ApiKey, KeyMode } from '../../tenancy/tenant.ts';
import type { Workshop } from '../store/workshop.ts';
import { findTenant, parseName } from '../store/workshop.ts';
import type { Answer, Refusal, Report } from '../terminal/answer.ts';
import { failed, isRefusal, wrongUsage } from '../terminal/answer.ts';
import { printFields, printTable } from '../terminal/text-table.ts';
import {
  DURATION_FORM,
  MOMENT_FORM,
  parseDuration,
  parseMoment,
  printTime,
} from '../terminal/time-text.ts';

export interface KeyCreateOptions {
  readonly tenant: string;
  readonly mode: string;
  readonly name?: string;
  /** Separated by commas; all when it is missing. */
  readonly scopes?: string;
  readonly origin?: readonly string[];
  readonly requireOrigin?: boolean;
  readonly expires?: string;
}

export interface KeyUpdateOptions {
  readonly name?: string;
  /** Takes the place of the whole list. */
  readonly origin?: readonly string[];
  readonly anyOrigin?: boolean;
  readonly requireOrigin?: boolean;
  readonly expires?: string;
}

interface OldText extends OldSecret {
  readonly hint: string;
}

/** The author, as the audit names it. */
const ACTOR = 'cli';
const MODES: readonly KeyMode[] = ['live', 'test'];

export async function createKey(workshop: Workshop, options: KeyCreateOptions): Promise<Answer> {
  const { store, clock } = workshop;
  const mode = MODES.find((each) => each === options.mode);
  if (mode === undefined) return wrongUsage(`Unknown mode ${options.mode}. Valid: live, test`);
  const name = parseName(options.name ?? mode);
  if (typeof name !== 'string') return name;
  const scopes = options.scopes === undefined ? null : parseScopes(options.scopes);
  if (scopes !== null && isRefusal(scopes)) return scopes;
  const origins = parseOrigins(options.origin ?? []);
  if ('error' in origins) return origins;
  const createdAt = clock.now();
  const expiresAt = options.expires === undefined ? null : parseExpiry(options.expires, createdAt);
  if (expiresAt !== null && typeof expiresAt !== 'number') return expiresAt;
  const tenant = await findTenant(store, options.tenant);
  if (isRefusal(tenant)) return tenant;
  const requireOrigin = options.requireOrigin ?? false;
  const settings = { tenant: tenant.id, mode, name, scopes, origins, requireOrigin, expiresAt };
  const made = await makeKeyService(workshop).create(settings, ACTOR);
  if (made === 'full') return failed(`${tenant.slug} has ${KEYS_MAX} keys: revoke some`);
  return reportSecret(made.key, made.text, createdAt, []);
}

export async function listKeys(workshop: Workshop, tenantName: string): Promise<Answer> {
  const { store, clock } = workshop;
  const tenant = await findTenant(store, tenantName);
  if (isRefusal(tenant)) return tenant;
  const now = clock.now();
  const keys = await store.listKeys(tenant.id);
  const oldTexts = await makeKeyService(workshop).oldTexts(tenant.id);
  const oldOf = (key: ApiKey) => activeOld(key, oldTexts.get(key.id), now);
  const titles = [
    'ID',
    'NAME',
    'MODE',
    'HINT',
    'STATUS',
    'LAST USED',
    'EXPIRES',
    'SCOPES',
    'ORIGINS',
    'OLD TEXTS',
  ];
  const rows = keys.map((key) => [
    key.id,
    key.name,
    key.mode,
    key.hint,
    statusOf(key, now),
    printTime(key.lastUsedAt) ?? 'never',
    printTime(key.expiresAt) ?? 'never',
    scopeText(key),
    originText(key),
    oldOf(key).map(oldText).join('; ') || 'none',
  ]);
  return {
    json: { data: keys.map((key) => keyJson(key, now, oldOf(key))) },
    text: printTable(titles, rows, `${tenant.slug} has no keys yet.`),
  };
}

export async function rotateKey(
  workshop: Workshop,
  name: string,
  overlap: string,
): Promise<Answer> {
  const overlapMs = parseDuration(overlap);
  if (overlapMs === null || overlapMs > OVERLAP_MS_MAX) {
    return wrongUsage(`--overlap: expected 0 to 7d, as ${DURATION_FORM}`);
  }
  const now = workshop.clock.now();
  const key = await findWorkingKey(workshop.store, name, now);
  if (isRefusal(key)) return key;
  const made = await makeKeyService(workshop).rotate(key, overlapMs, ACTOR);
  const old = await oldTextsOf(workshop, made.key);
  return reportSecret(made.key, made.text, now, old, made.overlapUntil);
}

/** The newest secret stays. Nothing to end is no error: the wanted state is reached. */
export async function endOverlap(workshop: Workshop, name: string): Promise<Answer> {
  const now = workshop.clock.now();
  const key = await findWorkingKey(workshop.store, name, now);
  if (isRefusal(key)) return key;
  const hasEnded = await makeKeyService(workshop).endOverlap(key, ACTOR);
  const said = hasEnded
    ? 'Its previous secrets no longer work.'
    : 'It has no previous secret that still works.';
  return {
    json: { ...keyJson(key, now, []), ended: hasEnded },
    text: `${keyText(key, now)}\n\n${said}`,
  };
}

/** Revoking twice is no error: the first time stands. */
export async function revokeKey(workshop: Workshop, name: string): Promise<Answer> {
  const key = await findKey(workshop.store, name);
  if (isRefusal(key)) return key;
  const revoked = await makeKeyService(workshop).revoke(key, ACTOR);
  return reportKey(workshop, revoked);
}

export async function updateKey(
  workshop: Workshop,
  name: string,
  options: KeyUpdateOptions,
): Promise<Answer> {
  const now = workshop.clock.now();
  const change = parseChange(options, now);
  if ('error' in change) return change;
  const key = await findKey(workshop.store, name);
  if (isRefusal(key)) return key;
  if (key.revokedAt !== null) return failed(`${key.id} is revoked permanently`);
  return reportKey(workshop, await makeKeyService(workshop).update(key, change, ACTOR));
}

function parseChange(options: KeyUpdateOptions, now: number): KeyChange | Refusal {
  const { origin, anyOrigin = false, requireOrigin, expires } = options;
  if (origin !== undefined && anyOrigin) {
    return wrongUsage('--origin and --any-origin exclude each other');
  }
  const name = options.name === undefined ? undefined : parseName(options.name);
  if (name !== undefined && typeof name !== 'string') return name;
  const origins = anyOrigin ? [] : origin === undefined ? undefined : parseOrigins(origin);
  if (origins !== undefined && 'error' in origins) return origins;
  const expiresAt = expires === undefined ? undefined : parseExpiry(expires, now);
  if (expiresAt !== undefined && expiresAt !== null && typeof expiresAt !== 'number') {
    return expiresAt;
  }
  const change: KeyChange = {
    ...(name === undefined ? {} : { name }),
    ...(origins === undefined ? {} : { origins }),
    ...(requireOrigin === undefined ? {} : { requireOrigin }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
  return Object.keys(change).length === 0 ? wrongUsage('Nothing to change: see --help') : change;
}

function parseScopes(text: string): readonly KeyScope[] | Refusal {
  const scopes = parseKeyScopes(text.split(',').map((each) => each.trim()));
  return scopes ?? wrongUsage(`--scopes: expected some of ${KEY_SCOPES.join(',')}`);
}

function parseOrigins(texts: readonly string[]): readonly string[] | Refusal {
  const origins = new Set<string>();
  for (const text of texts) {
    const origin = parseOriginPattern(text);
    if (origin === null) {
      const form = 'scheme://host[:port] and nothing after it; the leftmost label may be *';
      return wrongUsage(`--origin ${JSON.stringify(text)}: expected ${form}`);
    }
    origins.add(origin);
  }
  if (origins.size > ORIGINS_MAX) return wrongUsage(`A key has at most ${ORIGINS_MAX} origins`);
  return [...origins];
}

/** Null for never. */
function parseExpiry(text: string, now: number): number | null | Refusal {
  if (text === 'never') return null;
  const at = parseMoment(text, now);
  if (at === null) return wrongUsage(`--expires: expected never, ${MOMENT_FORM}`);
  return at > now ? at : wrongUsage(`--expires: ${text} is in the past`);
}

/** A key by its id or by its hint. Its text is neither requested nor repeated. */
async function findKey(store: CoreStore, name: string): Promise<ApiKey | Refusal> {
  if (parseKeyText(name) !== null) {
    return wrongUsage('Name the key by its id or hint (mk_…, 16 characters), never by its secret');
  }
  const secretId = parseKeyHint(name);
  const key =
    secretId === null
      ? await store.findKey(name)
      : ((await store.findKeyBySecret(secretId))?.key ?? null);
  return key ?? failed(`There is no key ${JSON.stringify(name)}`);
}

async function findWorkingKey(
  store: CoreStore,
  name: string,
  now: number,
): Promise<ApiKey | Refusal> {
  const key = await findKey(store, name);
  if (isRefusal(key)) return key;
  const status = statusOf(key, now);
  return status === 'active' ? key : failed(`${key.id} is ${status}: create a new key instead`);
}

function scopeText({ scopes }: ApiKey): string {
  return scopes?.join(',') ?? 'all';
}

function originText({ origins, requireOrigin }: ApiKey): string {
  const list = origins.length === 0 ? 'any' : origins.join(' ');
  return requireOrigin ? `${list} (required)` : list;
}

/** Of a key that acts no more, no text does. */
function activeOld(
  key: ApiKey,
  old: readonly OldSecret[] | undefined,
  now: number,
): readonly OldText[] {
  if (statusOf(key, now) !== 'active') return [];
  return (old ?? []).map((each) => ({ ...each, hint: hintOfOld(key, each) }));
}

function oldText({ hint, expiresAt, lastUsedAt }: OldText): string {
  return `${hint} until ${printTime(expiresAt)}, last used ${printTime(lastUsedAt) ?? 'never'}`;
}

async function oldTextsOf(workshop: Workshop, key: ApiKey): Promise<readonly OldText[]> {
  const all = await makeKeyService(workshop).oldTexts(key.tenant);
  return activeOld(key, all.get(key.id), workshop.clock.now());
}

function oldJson(old: readonly OldText[]): object {
  return old.map(({ hint, expiresAt, lastUsedAt }) => ({
    hint,
    expiresAt: printTime(expiresAt),
    lastUsedAt: printTime(lastUsedAt),
  }));
}

function keyJson(key: ApiKey, now: number, old: readonly OldText[]): object {
  const { id, tenant, name, mode, hint, origins, requireOrigin } = key;
  return {
    id,
    tenant,
    name,
    mode,
    hint,
    status: statusOf(key, now),
    origins,
    requireOrigin,
    scopes: presentScopes(key.scopes),
    createdAt: printTime(key.createdAt),
    expiresAt: printTime(key.expiresAt),
    revokedAt: printTime(key.revokedAt),
    lastUsedAt: printTime(key.lastUsedAt),
    oldTexts: oldJson(old),
  };
}

function keyText(key: ApiKey, now: number): string {
  return printFields([
    ['id', key.id],
    ['tenant', key.tenant],
    ['name', key.name],
    ['mode', key.mode],
    ['hint', key.hint],
    ['status', statusOf(key, now)],
    ['scopes', scopeText(key)],
    ['origins', originText(key)],
    ['expires', printTime(key.expiresAt) ?? 'never'],
    ['last used', printTime(key.lastUsedAt) ?? 'never'],
  ]);
}

async function reportKey(workshop: Workshop, key: ApiKey): Promise<Report> {
  const now = workshop.clock.now();
  const old = await oldTextsOf(workshop, key);
  return { json: keyJson(key, now, old), text: keyText(key, now) };
}

/** The one time the key itself is shown. */
function reportSecret(
  key: ApiKey,
  secret: string,
  now: number,
  old: readonly OldText[],
  overlapUntil: number | null = null,
): Report {
  const overlap = printTime(overlapUntil);
  const older = overlap === null ? '' : `\nPrevious secrets of this key work until ${overlap}.`;
  return {
    json: {
      ...keyJson(key, now, old),
      key: secret,
      ...(overlap === null ? {} : { overlapUntil: overlap }),
    },
    text: `${keyText(key, now)}\n\n${secret}\n\nCopy it now: it is shown only once and not stored.${older}`,
  };
}
