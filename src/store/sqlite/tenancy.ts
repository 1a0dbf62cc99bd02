/** Tenants and keys in SQLite. Rarely written; the few reads on the way of a request are cached. */

import type { Kysely, Transaction } from 'kysely';
import { sql } from 'kysely';
import { CHAIN_START, type ChainHead, chainAudit } from '../../accounts/audit-chain.ts';
import type { KeyScope } from '../../tenancy/key-scopes.ts';
import type { ApiKey, KeyMode, PlanName, Tenant } from '../../tenancy/tenant.ts';
import type { AuditKeysInUse } from '../audit-keys.ts';
import type { AuditRow, FoundKey, TenancyStore } from '../store.ts';
import type { ApiKeyTable, Tables, TenantTable } from './tables.ts';

export type TenancyWrites = Omit<TenancyStore, 'touchKeys' | 'tenancyRevision'>;

export function makeTenancyStore(db: Kysely<Tables>, auditKeys: AuditKeysInUse): TenancyWrites {
  /**
   * Every change is audited, and every process notices it by the revision. `write` answers false
   * when there was nothing to change.
   */
  const change: Change = (audit, write) =>
    db.transaction().execute(async (tx) => {
      const result = await write(tx);
      if (result === false) return result;
      await insertAudit(tx, audit, auditKeys);
      await tx
        .updateTable('revision')
        .set((eb) => ({ n: eb('n', '+', 1) }))
        .where('name', '=', 'tenancy')
        .execute();
      return result;
    });
  return { ...makeTenantCalls(db, change), ...makeKeyWrites(change), ...makeKeyReads(db) };
}

/** As `insertAudit` of the writer: what was written before holds the lock already. */
async function insertAudit(
  tx: Transaction<Tables>,
  audit: AuditRow,
  { keys }: AuditKeysInUse,
): Promise<void> {
  const head = (await newestOf(tx, audit.tenant)) ?? {
    n: 0,
    hash: CHAIN_START,
    mac: (await newestOf(tx, ''))?.mac ?? null,
  };
  const row = chainAudit(head, audit, keys);
  const { tenant, n, hash, mac } = row;
  await tx.insertInto('audit').values(row).execute();
  await sql`INSERT INTO audit_head (tenant, n, hash, mac) VALUES (${tenant}, ${n}, ${hash}, ${mac})
    ON CONFLICT (tenant) DO UPDATE SET n = excluded.n, hash = excluded.hash, mac = excluded.mac`.execute(
    tx,
  );
}

async function newestOf(tx: Transaction<Tables>, tenant: string): Promise<ChainHead | undefined> {
  return tx
    .selectFrom('audit')
    .select(['n', 'hash', 'mac'])
    .where('tenant', '=', tenant)
    .orderBy('n', 'desc')
    .limit(1)
    .executeTakeFirst();
}

type Change = <T>(audit: AuditRow, write: (tx: Transaction<Tables>) => Promise<T>) => Promise<T>;

function makeTenantCalls(db: Kysely<Tables>, change: Change) {
  return {
    async createTenant(tenant: Tenant, audit: AuditRow): Promise<void> {
      await change(audit, (tx) => tx.insertInto('tenant').values(fromTenant(tenant)).execute());
    },
    updateTenant: ((id, { name, plan, active, limits }, audit) =>
      change(audit, async (tx) => {
        const set = defined({
          id, // Without a field the statement would be none.
          name,
          plan,
          active: active === undefined ? undefined : Number(active),
          // One that acts again stays.
          removal_at: active === true ? null : undefined,
          limits: limits === undefined ? undefined : JSON.stringify(limits),
        });
        const result = await tx
          .updateTable('tenant')
          .set(set)
          .where('id', '=', id)
          .executeTakeFirst();
        return result.numUpdatedRows > 0n;
      })) as TenancyStore['updateTenant'],
    async findTenant(id: string): Promise<Tenant | null> {
      const row = await db.selectFrom('tenant').selectAll().where('id', '=', id).executeTakeFirst();
      return row === undefined ? null : toTenant(row);
    },
    async listTenants(): Promise<readonly Tenant[]> {
      const rows = await db.selectFrom('tenant').selectAll().orderBy('id').execute();
      return rows.map(toTenant);
    },
  };
}

function makeKeyWrites(change: Change) {
  return {
    createKey: (async (key, secret, audit, keysMax = null) => {
      const isMade = await change(audit, async (tx) => {
        if (keysMax !== null && (await countKeys(tx, key.tenant)) >= keysMax) return false;
        await tx.insertInto('api_key').values(fromKey(key)).execute();
        await tx
          .insertInto('key_secret')
          .values({ ...secret, key: key.id, expires_at: null })
          .execute();
        return true;
      });
      return isMade ? 'created' : 'full';
    }) as TenancyStore['createKey'],
    rotateKey: ((key, secret, hint, overlapUntil, audit) =>
      change(audit, async (tx) => {
        const updated = await tx
          .updateTable('api_key')
          .set({ hint })
          .where('id', '=', key)
          .executeTakeFirst();
        if (updated.numUpdatedRows === 0n) return false;
        await tx
          .updateTable('key_secret')
          .set({
            expires_at: sql<number>`min(coalesce(expires_at, ${overlapUntil}), ${overlapUntil})`,
          })
          .where('key', '=', key)
          .execute();
        await tx
          .insertInto('key_secret')
          .values({ ...secret, key, expires_at: null })
          .execute();
        return true;
      })) as TenancyStore['rotateKey'],
    updateKey: ((id, { name, origins, requireOrigin, expiresAt, revokedAt }, audit) =>
      change(audit, async (tx) => {
        const set = defined({
          id,
          name,
          origins: origins === undefined ? undefined : JSON.stringify(origins),
          require_origin: requireOrigin === undefined ? undefined : Number(requireOrigin),
          expires_at: expiresAt,
          revoked_at: revokedAt,
        });
        const result = await tx
          .updateTable('api_key')
          .set(set)
          .where('id', '=', id)
          .executeTakeFirst();
        return result.numUpdatedRows > 0n;
      })) as TenancyStore['updateKey'],
  };
}

/** Those that are not revoked. Until the transaction ends nobody else adds one. */
async function countKeys(tx: Transaction<Tables>, tenant: string): Promise<number> {
  // A write, so that it holds the lock: what is read without it another process may outdate.
  await tx
    .updateTable('revision')
    .set((eb) => ({ n: eb.ref('n') }))
    .where('name', '=', 'tenancy')
    .execute();
  const { n } = await tx
    .selectFrom('api_key')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('tenant', '=', tenant)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow();
  return n;
}

function makeKeyReads(db: Kysely<Tables>) {
  const findKey = async (id: string): Promise<ApiKey | null> => {
    const row = await db.selectFrom('api_key').selectAll().where('id', '=', id).executeTakeFirst();
    return row === undefined ? null : toKey(row);
  };
  return {
    findKey,
    async listKeys(tenant: string): Promise<readonly ApiKey[]> {
      const rows = await db
        .selectFrom('api_key')
        .selectAll()
        .where('tenant', '=', tenant)
        .orderBy('id', 'desc')
        .execute();
      return rows.map(toKey);
    },
    async findKeyBySecret(secretId: string): Promise<FoundKey | null> {
      const secret = await db
        .selectFrom('key_secret')
        .selectAll()
        .where('id', '=', secretId)
        .executeTakeFirst();
      const key = secret && (await findKey(secret.key));
      const row =
        key &&
        (await db.selectFrom('tenant').selectAll().where('id', '=', key.tenant).executeTakeFirst());
      if (!secret || !key || !row) return null;
      return {
        key,
        tenant: toTenant(row),
        secret: { hash: secret.hash, expiresAt: secret.expires_at },
      };
    },
  };
}

/** Only the fields that were given. */
function defined<T extends Record<string, unknown>>(
  fields: T,
): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as never;
}

function fromTenant(tenant: Tenant): TenantTable {
  const { id, slug, name, plan, active, limits, createdAt } = tenant;
  return {
    id,
    slug,
    name,
    plan,
    active: Number(active),
    limits: JSON.stringify(limits),
    created_at: createdAt,
    removal_at: null,
  };
}

function toTenant(row: TenantTable): Tenant {
  const { id, slug, name, plan, active, limits, created_at } = row;
  return {
    id,
    slug,
    name,
    plan: plan as PlanName,
    active: active === 1,
    limits: JSON.parse(limits) as Tenant['limits'],
    createdAt: created_at,
  };
}

function fromKey(key: ApiKey): ApiKeyTable {
  return {
    id: key.id,
    tenant: key.tenant,
    mode: key.mode,
    name: key.name,
    origins: JSON.stringify(key.origins),
    require_origin: Number(key.requireOrigin),
    hint: key.hint,
    created_at: key.createdAt,
    expires_at: key.expiresAt,
    revoked_at: key.revokedAt,
    last_used_at: key.lastUsedAt,
    scopes: key.scopes === null ? null : JSON.stringify(key.scopes),
  };
}

function toKey(row: ApiKeyTable): ApiKey {
  return {
    id: row.id,
    tenant: row.tenant,
    mode: row.mode as KeyMode,
    name: row.name,
    scopes: row.scopes === null ? null : (JSON.parse(row.scopes) as KeyScope[]),
    origins: JSON.parse(row.origins) as string[],
    requireOrigin: row.require_origin === 1,
    hint: row.hint,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
  };
}
