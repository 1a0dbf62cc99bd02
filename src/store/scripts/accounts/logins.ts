/** Sessions of accounts: signed-in browsers. */

import { NAMES_MAX } from '../../../accounts/login-brake.ts';
import type { AccountStore, NewLogin } from '../../accounts.ts';
import { toLogin } from '../../rows/account-rows.ts';
import type { AuditRow } from '../../store.ts';
import { insertAudits } from '../shared/audit.ts';
import { type Runner, scriptOfOne } from '../shared/script.ts';
import { removeOldTries } from './login-tries.ts';
import { useSignature } from './passkeys.ts';
import { lockProven } from './proven.ts';

/** How many of these one transaction removes at most. */
const STALE_MAX = 1_000;
/** Parallel sessions of an account; one more ends the oldest. */
const LOGINS_MAX = 100;

export function makeLoginCalls({ sql, write }: Runner) {
  return {
    async findLogin(tokenHash) {
      const row = await sql.get('SELECT * FROM login WHERE hash = :hash', { hash: tokenHash });
      return row === undefined ? null : toLogin(row);
    },
    async listLogins(account) {
      const rows = await sql.all('SELECT * FROM login WHERE account = :account ORDER BY id DESC', {
        account,
      });
      return rows.map(toLogin);
    },
    beginLogin: (login, instead, audits) => write(BEGIN, { login, instead, audits }),
    async touchLogin(id, at) {
      await write(TOUCH, { id, at });
    },
    endLogins: (account, which, audits) => write(END, { account, which, audits }),
    removeStaleLogins: (seenBefore, now, triedNamesMax = NAMES_MAX) =>
      write(REMOVE_STALE, { seenBefore, now, triedNamesMax }),
  } satisfies Partial<AccountStore>;
}

interface Begin {
  readonly login: NewLogin;
  readonly instead: string | null;
  readonly audits: readonly AuditRow[];
}

const BEGIN = scriptOfOne('beginLogin', async (tx, { login, instead, audits }: Begin) => {
  const { session, tokenHash, proven, signed } = login;
  const { account } = session;
  if (!(await lockProven(tx, account, proven))) return false;
  if (signed !== null && !(await useSignature(tx, session, signed))) return false;
  if (instead !== null) await tx.run('DELETE FROM login WHERE id = :instead', { instead });
  await tx.run(
    `INSERT INTO login (hash, id, account, created_at, seen_at, expires_at, address, agent, passkey)
     SELECT hash, id, account, created_at, seen_at, expires_at, address, agent, passkey
       FROM @given(hash text, id text, account text, created_at bigint, seen_at bigint, expires_at bigint,
         address text, agent text, passkey text)`,
    { given: [{ ...session, hash: tokenHash }] },
  );
  await tx.run(
    `DELETE FROM login WHERE account = :account AND id NOT IN (
       SELECT id FROM login WHERE account = :account ORDER BY id DESC LIMIT ${LOGINS_MAX})`,
    { account },
  );
  await insertAudits(tx, audits);
  return true;
});

interface Touch {
  readonly id: string;
  readonly at: number;
}

const TOUCH = scriptOfOne('touchLogin', async (tx, { id, at }: Touch) => {
  await tx.run('UPDATE login SET seen_at = :at WHERE id = :id AND seen_at < :at', { id, at });
  return null;
});

interface End {
  readonly account: string;
  readonly which: { readonly id: string } | { readonly except: string | null };
  readonly audits: readonly AuditRow[];
}

const END = scriptOfOne('endLogins', async (tx, { account, which, audits }: End) => {
  await tx.get('SELECT 1 FROM account WHERE id = :account FOR UPDATE', { account });
  const ended =
    'id' in which
      ? await tx.run('DELETE FROM login WHERE account = :account AND id = :id', {
          account,
          id: which.id,
        })
      : await tx.run('DELETE FROM login WHERE account = :account AND id <> :except', {
          account,
          except: which.except ?? '',
        });
  if (ended > 0) await insertAudits(tx, audits);
  return ended;
});

interface RemoveStale {
  readonly seenBefore: number;
  readonly now: number;
  readonly triedNamesMax: number;
}

/** Rows locked by another transaction are left for the next sweep. */
const REMOVE_STALE = scriptOfOne(
  'removeStaleLogins',
  async (tx, { seenBefore, now, triedNamesMax }: RemoveStale) => {
    const gone = [
      await tx.run(
        `WITH gone AS (
           SELECT hash FROM login WHERE seen_at < :seen_before OR expires_at <= :now
           LIMIT ${STALE_MAX} FOR UPDATE SKIP LOCKED)
         DELETE FROM login WHERE hash IN (SELECT hash FROM gone)`,
        { seen_before: seenBefore, now },
      ),
      await tx.run(
        `DELETE FROM account_link WHERE hash IN (
           SELECT hash FROM account_link WHERE expires_at <= :now FOR UPDATE SKIP LOCKED)`,
        { now },
      ),
      await tx.run(
        `DELETE FROM passkey_challenge WHERE hash IN (
           SELECT hash FROM passkey_challenge WHERE expires_at <= :now FOR UPDATE SKIP LOCKED)`,
        { now },
      ),
      await removeOldTries(tx, now, triedNamesMax),
    ];
    return gone.reduce((sum, n) => sum + n, 0);
  },
);

export const LOGIN_SCRIPTS = [BEGIN, TOUCH, END, REMOVE_STALE];
