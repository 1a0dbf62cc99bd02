/** Tenants and keys. Rarely written; the few reads during a request are cached. */

import type { ApiKey, Tenant } from '../../../tenancy/tenant.ts';
import {
  FOUND_COLUMNS,
  toFoundKey,
  toKey,
  toOldSecret,
  toTenant,
} from '../../rows/tenancy-rows.ts';
import type { AuditRow, KeyUse, NewKeySecret, TenancyStore } from '../../store.ts';
import { insertAudit } from '../shared/audit.ts';
import type { Scalar } from '../shared/notation.ts';
import { type Runner, type Sql, scriptOfOne, type Tx } from '../shared/script.ts';
import { takeTurn } from '../shared/turns.ts';

export function makeTenancyStore({ sql, write }: Runner): TenancyStore {
  return {
    ...makeReads(sql),
    createTenant: (tenant, audit) => write(CREATE_TENANT, { tenant, audit }),
    updateTenant: (id, change, audit) => write(UPDATE_TENANT, { id, change, audit }),
    createKey: (key, secret, audit, keysMax = null) =>
      write(CREATE_KEY, { key, secret, audit, keysMax }),
    rotateKey: (key, secret, hint, overlapUntil, audit) =>
      write(ROTATE_KEY, { key, secret, hint, overlapUntil, audit }),
    endOverlap: (key, audit) => write(END_OVERLAP, { key, audit }),
    updateKey: (id, change, audit) => write(UPDATE_KEY, { id, change, audit }),
    async touchKeys(used) {
      if (used.length > 0) await write(TOUCH_KEYS, used);
    },
  };
}

/** Every change to tenants and keys is audited, and every process notices it by the revision. */
export async function noteTenancyChange(tx: Tx, audit: AuditRow): Promise<void> {
  await insertAudit(tx, audit);
  await tx.run("UPDATE revision SET n = n + 1 WHERE name = 'tenancy'");
}

// ── tenants ────────────────────────────────────────────────────────────────────────────────────

interface CreateTenant {
  readonly tenant: Tenant;
  readonly audit: AuditRow;
}

const CREATE_TENANT = scriptOfOne(
  'createTenant',
  async (tx, { tenant, audit }: CreateTenant): Promise<'created' | 'slug_taken'> => {
    // Waits for another transaction that creates a tenant with this slug.
    const created = await tx.run(
      `INSERT INTO tenant (id, slug, name, plan, active, limits, created_at)
       SELECT id, slug, name, plan, active, limits, created_at
         FROM @given(id text, slug text, name text, plan text, active boolean, limits text, created_at bigint)
        WHERE TRUE ON CONFLICT (slug) DO NOTHING`,
      { given: [{ ...tenant, limits: JSON.stringify(tenant.limits) }] },
    );
    if (created === 0) return 'slug_taken';
    await noteTenancyChange(tx, audit);
    return 'created';
  },
);

interface UpdateTenant {
  readonly id: string;
  readonly change: Parameters<TenancyStore['updateTenant']>[1];
  readonly audit: AuditRow;
}

const UPDATE_TENANT = scriptOfOne('updateTenant', async (tx, ask: UpdateTenant) => {
  const { name, plan, active, limits } = ask.change;
  const isChanged = await update(tx, 'tenant', ask.id, {
    name,
    plan,
    active,
    // Activating a tenant cancels its removal.
    removal_at: active === true ? null : undefined,
    limits: limits === undefined ? undefined : JSON.stringify(limits),
  });
  if (isChanged) await noteTenancyChange(tx, ask.audit);
  return isChanged;
});

/** Sets the given fields, if any. False when there is no such row. */
async function update(
  tx: Tx,
  table: 'tenant' | 'api_key',
  id: string,
  fields: Readonly<Record<string, Scalar | undefined>>,
): Promise<boolean> {
  const given = Object.entries(fields).filter((field): field is [string, Scalar] => {
    return field[1] !== undefined;
  });
  // Without a field the statement would be invalid.
  const set = ['id', ...given.map(([name]) => name)].map((name) => `${name} = :${name}`);
  const text = `UPDATE ${table} SET ${set.join(', ')} WHERE id = :id`;
  return (await tx.run(text, { id, ...Object.fromEntries(given) })) > 0;
}

// ── keys ───────────────────────────────────────────────────────────────────────────────────────

interface CreateKey {
  readonly key: ApiKey;
  readonly secret: NewKeySecret;
  readonly audit: AuditRow;
  /** Null for no limit. */
  readonly keysMax: number | null;
}

const CREATE_KEY = scriptOfOne(
  'createKey',
  async (tx, { key, secret, audit, keysMax }: CreateKey): Promise<'created' | 'full'> => {
    if (keysMax !== null && (await countKeys(tx, key.tenant)) >= keysMax) return 'full';
    await insertKey(tx, key);
    await insertSecret(tx, key.id, secret);
    await noteTenancyChange(tx, audit);
    return 'created';
  },
);

/** Keys that are not revoked. Until the transaction ends no other counting transaction adds one. */
async function countKeys(tx: Tx, tenant: string): Promise<number> {
  await takeTurn(tx, tenant, 'keys');
  const kept = await tx.get(
    'SELECT count(*) AS n FROM api_key WHERE tenant = :tenant AND revoked_at IS NULL',
    { tenant },
  );
  return Number(kept!['n']);
}

async function insertKey(tx: Tx, key: ApiKey): Promise<void> {
  const { origins, scopes } = key;
  const texts = {
    origins: JSON.stringify(origins),
    scopes: scopes === null ? null : JSON.stringify(scopes),
  };
  await tx.run(
    `INSERT INTO api_key (id, tenant, mode, name, origins, require_origin, hint, created_at,
       expires_at, revoked_at, last_used_at, scopes)
     SELECT id, tenant, mode, name, origins, require_origin, hint, created_at, expires_at, revoked_at,
       last_used_at, scopes
       FROM @given(id text, tenant text, mode text, name text, origins text, require_origin boolean, hint text,
         created_at bigint, expires_at bigint, revoked_at bigint, last_used_at bigint, scopes text)`,
    { given: [{ ...key, ...texts }] },
  );
}

async function insertSecret(tx: Tx, key: string, { id, hash }: NewKeySecret): Promise<void> {
  await tx.run('INSERT INTO key_secret (id, key, hash) VALUES (:id, :key, :hash)', {
    id,
    key,
    hash,
  });
}

interface RotateKey {
  readonly key: string;
  readonly secret: NewKeySecret;
  readonly hint: string;
  readonly overlapUntil: number;
  readonly audit: AuditRow;
}

const ROTATE_KEY = scriptOfOne('rotateKey', async (tx, ask: RotateKey) => {
  const { key, secret, hint, overlapUntil, audit } = ask;
  // The key's row is the lock: rotations are serialized.
  if (!(await update(tx, 'api_key', key, { hint }))) return false;
  await tx.run(
    `UPDATE key_secret SET expires_at = :until
     WHERE key = :key AND (expires_at IS NULL OR expires_at > :until)`,
    { key, until: overlapUntil },
  );
  await insertSecret(tx, key, secret);
  await noteTenancyChange(tx, audit);
  return true;
});

interface EndOverlap {
  readonly key: string;
  readonly audit: AuditRow;
}

const END_OVERLAP = scriptOfOne('endOverlap', async (tx, { key, audit }: EndOverlap) => {
  const ended = await tx.run(
    'UPDATE key_secret SET expires_at = :now WHERE key = :key AND expires_at > :now',
    { key, now: audit.at },
  );
  if (ended > 0) await noteTenancyChange(tx, audit);
  return ended > 0;
});

interface UpdateKey {
  readonly id: string;
  readonly change: Parameters<TenancyStore['updateKey']>[1];
  readonly audit: AuditRow;
}

const UPDATE_KEY = scriptOfOne('updateKey', async (tx, { id, change, audit }: UpdateKey) => {
  const { name, origins, requireOrigin, expiresAt, revokedAt } = change;
  const isChanged = await update(tx, 'api_key', id, {
    name,
    origins: origins === undefined ? undefined : JSON.stringify(origins),
    require_origin: requireOrigin,
    expires_at: expiresAt,
    revoked_at: revokedAt,
  });
  if (isChanged) await noteTenancyChange(tx, audit);
  return isChanged;
});

const TOUCH_KEYS = scriptOfOne('touchKeys', async (tx, used: readonly KeyUse[]): Promise<void> => {
  const latest = new Map<string, number>();
  for (const { id, at } of used) latest.set(id, Math.max(at, latest.get(id) ?? at));
  const ids = [...latest.keys()];
  // In a fixed order, because every node does this at the same times. A key's row locks its
  // secrets.
  await tx.all('SELECT id FROM api_key WHERE id IN :ids(text) ORDER BY id FOR UPDATE', { ids });
  await tx.run(
    `UPDATE api_key SET last_used_at = given.at FROM @given(id text, at bigint)
       WHERE api_key.id = given.id`,
    { given: Array.from(latest, ([id, at]) => ({ id, at })) },
  );
  await tx.run(
    `UPDATE key_secret SET last_used_at = given.at FROM @given(secret text, at bigint)
       WHERE key_secret.id = given.secret`,
    { given: used.map(({ secret, at }) => ({ secret, at })) },
  );
});

export const TENANCY_SCRIPTS = [
  CREATE_TENANT,
  UPDATE_TENANT,
  CREATE_KEY,
  ROTATE_KEY,
  END_OVERLAP,
  UPDATE_KEY,
  TOUCH_KEYS,
];

// ── reads ──────────────────────────────────────────────────────────────────────────────────────

function makeReads(sql: Sql) {
  return {
    async findTenant(id) {
      const row = await sql.get('SELECT * FROM tenant WHERE id = :id', { id });
      return row === undefined ? null : toTenant(row);
    },
    listTenants: async () => (await sql.all('SELECT * FROM tenant ORDER BY id')).map(toTenant),
    async tenancyRevision() {
      const row = await sql.get("SELECT n FROM revision WHERE name = 'tenancy'");
      return Number(row?.['n']);
    },
    async findKey(id) {
      const row = await sql.get('SELECT * FROM api_key WHERE id = :id', { id });
      return row === undefined ? null : toKey(row);
    },
    async listKeys(tenant) {
      const rows = await sql.all('SELECT * FROM api_key WHERE tenant = :tenant ORDER BY id DESC', {
        tenant,
      });
      return rows.map(toKey);
    },
    async listOldSecrets(tenant, now) {
      const rows = await sql.all(
        `SELECT key_secret.* FROM key_secret JOIN api_key ON api_key.id = key_secret.key
          WHERE api_key.tenant = :tenant AND key_secret.expires_at > :now
          ORDER BY key_secret.expires_at, key_secret.id`,
        { tenant, now },
      );
      return rows.map(toOldSecret);
    },
    async findKeyBySecret(id) {
      const row = await sql.get(
        `SELECT ${FOUND_COLUMNS} FROM key_secret JOIN api_key ON api_key.id = key_secret.key
           JOIN tenant ON tenant.id = api_key.tenant
         WHERE key_secret.id = :id`,
        { id },
      );
      return row === undefined ? null : toFoundKey(row);
    },
  } satisfies Partial<TenancyStore>;
}
