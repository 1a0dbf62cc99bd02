/** Tenants and keys. Rarely written; the few reads on the way of a request are cached. */

import type { KeyScope } from '../../tenancy/key-scopes.ts';
import type { ApiKey, KeyMode, PlanName, Tenant } from '../../tenancy/tenant.ts';
import { numberOrNull } from '../rows/row.ts';
import type { AuditRow, FoundKey, TenancyStore } from '../store.ts';
import { insertAudit } from './audit-rows.ts';
import type { Database } from './database.ts';
import type { Row, Sql, Tx, Value } from './sql.ts';
import { takeTurn } from './turns.ts';

export function makeTenancyStore(db: Database): TenancyStore {
  /**
   * Every change is audited, and every process notices it by the revision. `write` answers false
   * when there was nothing to change.
   */
  const change: Change = (audit, write) =>
    db.transaction(async (tx) => {
      const result = await write(tx);
      if (result === false) return result;
      await insertAudit(tx, audit);
      await tx.run("UPDATE revision SET n = n + 1 WHERE name = 'tenancy'");
      return result;
    });
  return { ...makeTenantCalls(db, change), ...makeKeyWrites(change), ...makeKeyReads(db) };
}

type Change = <T>(audit: AuditRow, write: (tx: Tx) => Promise<T>) => Promise<T>;

function makeTenantCalls(db: Database, change: Change) {
  return {
    createTenant: ({ id, slug, name, plan, active, limits, createdAt }, audit) =>
      change(audit, async (tx) => {
        await tx.run(
          `INSERT INTO tenant (id, slug, name, plan, active, limits, created_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7)`,
          id,
          slug,
          name,
          plan,
          active,
          JSON.stringify(limits),
          createdAt,
        );
      }),
    updateTenant: (id, { name, plan, active, limits }, audit) =>
      change(audit, (tx) =>
        update(tx, 'tenant', id, {
          name,
          plan,
          active,
          // One that acts again stays.
          removal_at: active === true ? null : undefined,
          limits: limits === undefined ? undefined : JSON.stringify(limits),
        }),
      ),
    async findTenant(id) {
      const row = await db.get('SELECT * FROM tenant WHERE id = $1', id);
      return row === undefined ? null : toTenant(row);
    },
    listTenants: async () => (await db.all('SELECT * FROM tenant ORDER BY id')).map(toTenant),
    async tenancyRevision() {
      const row = await db.get("SELECT n FROM revision WHERE name = 'tenancy'");
      return Number(row?.['n']);
    },
  } satisfies Partial<TenancyStore>;
}

function makeKeyWrites(change: Change) {
  return {
    async createKey(key, secret, audit, keysMax = null) {
      const isMade = await change(audit, async (tx) => {
        if (keysMax !== null && (await countKeys(tx, key.tenant)) >= keysMax) return false;
        await insertKey(tx, key);
        await insertSecret(tx, key.id, secret);
        return true;
      });
      return isMade ? 'created' : 'full';
    },
    rotateKey: (key, secret, hint, overlapUntil, audit) =>
      change(audit, async (tx) => {
        // The key's row is the lock: no two rotate at once.
        if (!(await update(tx, 'api_key', key, { hint }))) return false;
        await tx.run(
          'UPDATE key_secret SET expires_at = least(expires_at, $2) WHERE key = $1',
          key,
          overlapUntil,
        );
        await insertSecret(tx, key, secret);
        return true;
      }),
    updateKey: (id, { name, origins, requireOrigin, expiresAt, revokedAt }, audit) =>
      change(audit, (tx) =>
        update(tx, 'api_key', id, {
          name,
          origins: origins === undefined ? undefined : JSON.stringify(origins),
          require_origin: requireOrigin,
          expires_at: expiresAt,
          revoked_at: revokedAt,
        }),
      ),
  } satisfies Partial<TenancyStore>;
}

/** Those that are not revoked. Until the transaction ends nobody else who counts adds one. */
async function countKeys(tx: Tx, tenant: string): Promise<number> {
  await takeTurn(tx, tenant, 'keys');
  const kept = await tx.get(
    'SELECT count(*) AS n FROM api_key WHERE tenant = $1 AND revoked_at IS NULL',
    tenant,
  );
  return Number(kept!['n']);
}

function makeKeyReads(db: Database) {
  const findKey = async (id: string): Promise<ApiKey | null> => {
    const row = await db.get('SELECT * FROM api_key WHERE id = $1', id);
    return row === undefined ? null : toKey(row);
  };
  return {
    findKey,
    async listKeys(tenant) {
      const rows = await db.all('SELECT * FROM api_key WHERE tenant = $1 ORDER BY id DESC', tenant);
      return rows.map(toKey);
    },
    async findKeyBySecret(secretId): Promise<FoundKey | null> {
      const secret = await db.get('SELECT * FROM key_secret WHERE id = $1', secretId);
      const key = secret === undefined ? null : await findKey(String(secret['key']));
      if (secret === undefined || key === null) return null;
      const row = await db.get('SELECT * FROM tenant WHERE id = $1', key.tenant);
      if (row === undefined) return null;
      const expiresAt = numberOrNull(secret['expires_at']);
      return { key, tenant: toTenant(row), secret: { hash: String(secret['hash']), expiresAt } };
    },
    async touchKeys(used) {
      if (used.length === 0) return;
      // Locked in one order, as every node does this at the same times.
      const sorted = [...used].sort((a, b) => (a.id < b.id ? -1 : 1));
      await db.run(
        `WITH used AS (SELECT * FROM unnest($1::text[], $2::bigint[]) AS used (id, at)),
           locked AS (
             SELECT api_key.id FROM api_key JOIN used USING (id) ORDER BY id FOR UPDATE OF api_key
           )
         UPDATE api_key SET last_used_at = used.at FROM used JOIN locked USING (id)
          WHERE api_key.id = used.id`,
        sorted.map(({ id }) => id),
        sorted.map(({ at }) => at),
      );
    },
  } satisfies Partial<TenancyStore>;
}

/** Sets the fields that were given, which may be none. False when there is no such row. */
async function update(
  sql: Sql,
  table: 'tenant' | 'api_key',
  id: string,
  fields: Readonly<Record<string, Value | undefined>>,
): Promise<boolean> {
  const given = Object.entries({ id, ...fields }).filter(([, value]) => value !== undefined);
  const set = given.map(([name], i) => `${name} = $${i + 2}`).join(', ');
  const values = given.map(([, value]) => value as Value);
  return (await sql.run(`UPDATE ${table} SET ${set} WHERE id = $1`, id, ...values)) > 0;
}

async function insertKey(tx: Tx, key: ApiKey): Promise<void> {
  await tx.run(
    `INSERT INTO api_key (id, tenant, mode, name, origins, require_origin, hint, created_at,
       expires_at, revoked_at, last_used_at, scopes)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    key.id,
    key.tenant,
    key.mode,
    key.name,
    JSON.stringify(key.origins),
    key.requireOrigin,
    key.hint,
    key.createdAt,
    key.expiresAt,
    key.revokedAt,
    key.lastUsedAt,
    key.scopes === null ? null : JSON.stringify(key.scopes),
  );
}

async function insertSecret(
  tx: Tx,
  key: string,
  { id, hash }: { readonly id: string; readonly hash: string },
): Promise<void> {
  await tx.run('INSERT INTO key_secret (id, key, hash) VALUES ($1, $2, $3)', id, key, hash);
}

function toTenant(row: Row): Tenant {
  return {
    id: String(row['id']),
    slug: String(row['slug']),
    name: String(row['name']),
    plan: row['plan'] as PlanName,
    active: row['active'] === true,
    limits: JSON.parse(String(row['limits'])) as Tenant['limits'],
    createdAt: Number(row['created_at']),
  };
}

function toKey(row: Row): ApiKey {
  return {
    id: String(row['id']),
    tenant: String(row['tenant']),
    mode: row['mode'] as KeyMode,
    name: String(row['name']),
    scopes: row['scopes'] === null ? null : (JSON.parse(String(row['scopes'])) as KeyScope[]),
    origins: JSON.parse(String(row['origins'])) as string[],
    requireOrigin: row['require_origin'] === true,
    hint: String(row['hint']),
    createdAt: Number(row['created_at']),
    expiresAt: numberOrNull(row['expires_at']),
    revokedAt: numberOrNull(row['revoked_at']),
    lastUsedAt: numberOrNull(row['last_used_at']),
  };
}
