/**
 * `matchd restore`: replaces the database with a backup, and applies later erasures and revocations
 * to it (rule R2).
 */

import { existsSync, linkSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { deriveAuditKeys } from '../../accounts/audit-key.ts';
import { databaseFile } from '../../config.ts';
import { INSTALLATION } from '../../runtime/accounts/logins.ts';
import type { AuditAnchor } from '../../runtime/audit/audit-anchor.ts';
import { makeAuditCheck } from '../../runtime/audit/audit-check.ts';
import { lostNoteFile } from '../../runtime/lost-commits.ts';
import { countSecrets, judgeSecrets, type SecretCounts } from '../../runtime/sealing/reseal.ts';
import { makeSealer, SEALING_KEY_BYTES } from '../../runtime/sealing/sealer.ts';
import { systemRandomness } from '../../runtime/system.ts';
import { flushFile } from '../../runtime/whole-file.ts';
import type { Withdrawal } from '../../store/shared/withdrawal.ts';
import { freeBytes, openDatabase } from '../../store/sqlite/file/open.ts';
import { stopTheService, takeServeLock } from '../../store/sqlite/file/serve-lock.ts';
import {
  copyInto,
  countRows,
  endLogins,
  endSecret,
  faultOf,
  findNamed,
  listWithdrawals,
  openExclusively,
  vacuum,
} from '../../store/sqlite/file/snapshot.ts';
import { openSqliteStore } from '../../store/sqlite/sqlite-store.ts';
import { headFileOf } from '../../store/sqlite/writer/commit-head.ts';
import type { Store } from '../../store/whole-store.ts';
import { FOLDER_MODE, makeEmpty, printBytes } from '../store/data-file.ts';
import { makeAudit, sealingKeysOf } from '../store/workshop.ts';
import { describe, readAnchorFile } from '../tenants/audit.ts';
import { type Answer, failed, isRefusal, type Refusal } from '../terminal/answer.ts';
import type { Progress } from '../terminal/progress.ts';
import { anchorsFile } from './backup.ts';
import { lostWords, type SealConfig } from './secrets.ts';
import { type Redone, withdrawAgain } from './withdraw-again.ts';
import { mergeWithdrawn, readWithdrawn, withdrawnFile, writeWithdrawn } from './withdrawn.ts';

export interface RestoreOptions {
  /** The list of erasures and revocations, if it is not beside the backup. */
  readonly withdrawn?: string;
  /** Anchors of the audit, when they do not lie beside the backup. */
  readonly anchor?: string;
}

/** The result of the restore. */
interface Prepared {
  readonly redone: Redone;
  readonly secrets: SecretCounts;
}

/** The current database, locked so that no service starts on it meanwhile. */
interface Current {
  /** Null: there is none, or none that can be opened. */
  readonly db: DatabaseSync | null;
  /** The erasures and revocations that it knows. */
  readonly known: readonly Withdrawal[];
  /** Its erasures and revocations cannot be read. */
  readonly isDamaged: boolean;
}

export async function restore(
  { dataDir, sealingKeys }: SealConfig,
  source: string,
  options: RestoreOptions,
  now: number,
  say: Progress,
): Promise<Answer> {
  const { withdrawn = withdrawnFile(source) } = options;
  if (options.withdrawn !== undefined && !existsSync(withdrawn)) {
    return failed(`List not found: ${withdrawn}`);
  }
  const keys = sealingKeysOf({ dataDir, sealingKeys });
  const anchors = readAnchors(source, options, keys);
  if (isRefusal(anchors)) return anchors;
  say(`checking ${source}`);
  const fault = existsSync(source) ? faultOf(source) : 'it does not exist';
  if (fault !== null) return failed(`${source} cannot be restored: ${fault}`);
  const file = databaseFile(dataDir);
  mkdirSync(dataDir, { recursive: true, mode: FOLDER_MODE });
  const lock = takeServeLock(file, 0);
  if (lock === null) return failed(stopTheService(file));
  try {
    return await replace({ source, file, dataDir, keys, anchors, withdrawn, now, say });
  } finally {
    lock.release();
  }
}

interface Replacement {
  readonly source: string;
  readonly dataDir: string;
  /** That seal secrets, and from which the audit's are made; there may be none. */
  readonly keys: readonly Uint8Array[];
  /** The keys with which the backup's audit has to continue. */
  readonly anchors: readonly AuditAnchor[];
  /** The database that is replaced. */
  readonly file: string;
  /** The list of erasures and revocations since the backup. */
  readonly withdrawn: string;
  readonly now: number;
  readonly say: Progress;
}

/** No service runs meanwhile. */
async function replace(job: Replacement): Promise<Answer> {
  const { source, file, dataDir, keys, anchors, withdrawn, now, say } = job;
  const current = hold(file);
  if (isRefusal(current)) return current;
  const fresh = `${file}.restoring`;
  try {
    const ours = withdrawnFile(file);
    const list = mergeWithdrawn(readWithdrawn(withdrawn), readWithdrawn(ours), current.known);
    // The copy, and as it is packed again its log.
    const needed = 3 * statSync(source).size;
    if (freeBytes(dataDir) < needed) {
      return failed(
        `${dataDir} has ${printBytes(freeBytes(dataDir))} free, ${printBytes(needed)} needed`,
      );
    }
    say(`copying ${printBytes(statSync(source).size)}`);
    const prepared = await prepare(source, fresh, { list, keys, anchors }, now);
    if (isRefusal(prepared)) return prepared;
    // Before the database that knows it is put aside.
    writeWithdrawn(ours, list);
    const kept = swap(file, fresh, now);
    return report(file, kept, prepared, current.isDamaged);
  } finally {
    for (const ending of ['', '-wal', '-shm']) rmSync(`${fresh}${ending}`, { force: true });
    current.db?.close();
  }
}

function hold(file: string): Current | Refusal {
  if (!existsSync(file)) return { db: null, known: [], isDamaged: false };
  const db = openExclusively(file);
  if (db === 'in use') return failed(stopTheService(file));
  if (db === 'damaged') return { db: null, known: [], isDamaged: true };
  try {
    return { db, known: listWithdrawals(db), isDamaged: false };
  } catch {
    // It opens, and a page is corrupt or a table is missing: damage that a backup is for.
    return { db, known: [], isDamaged: true };
  }
}

/**
 * A copy with the newest schema, with all erasures and revocations applied; checked, and on the
 * disk.
 */
async function prepare(
  source: string,
  fresh: string,
  { list, keys, anchors }: Pick<Replacement, 'keys' | 'anchors'> & { list: readonly Withdrawal[] },
  now: number,
): Promise<Prepared | Refusal> {
  for (const ending of ['', '-wal', '-shm']) rmSync(`${fresh}${ending}`, { force: true });
  makeEmpty(fresh);
  // If a file is not a backup, the content of its log belongs to it.
  copyInto(source, fresh);
  const store = await openSqliteStore(fresh, { isBrief: true });
  const db = openDatabase(fresh, 'write');
  let prepared: Prepared;
  try {
    const changed = await findChanged(store, keys, anchors);
    if (changed !== null) return failed(`${source} cannot be restored: ${changed}`);
    await useKeys(store, keys, now);
    const redone = await withdrawAgain(list, {
      store,
      findNamed: (ref) => findNamed(db, ref),
      endSecret: (id, at) => endSecret(db, id, at),
    });
    const secrets = countSecrets(await judgeSecrets(store, makeSealer(keys, systemRandomness)));
    prepared = { redone, secrets };
    endLogins(db);
    await store.addAudit(makeAudit(INSTALLATION, 'database.restored', path.basename(source), now));
    // Rows erased just now still exist in free pages.
    vacuum(db);
  } finally {
    db.close();
    await store.close();
  }
  const fault = faultOf(fresh);
  if (fault !== null) throw new Error(`the restored database is damaged: ${fault}`);
  flushFile(fresh);
  return prepared;
}

/** The anchors beside the backup, or those that were named. */
function readAnchors(
  source: string,
  { anchor }: RestoreOptions,
  keys: readonly Uint8Array[],
): readonly AuditAnchor[] | Refusal {
  const file = anchor ?? anchorsFile(source);
  if (anchor === undefined && !existsSync(file)) return [];
  const read = readAnchorFile(file, keys);
  return isRefusal(read) ? read : read.anchors;
}

/** What the audit of an anchored chain is not, in words; null where all is as it was. */
async function findChanged(
  store: Store,
  keys: readonly Uint8Array[],
  anchors: readonly AuditAnchor[],
): Promise<string | null> {
  const auditKeys = deriveAuditKeys(keys);
  const verify = makeAuditCheck({ journal: store, keys: auditKeys, isKeyed: () => false });
  for (const tenant of new Set(anchors.map((anchor) => anchor.tenant))) {
    const seen = anchors.filter((anchor) => anchor.tenant === tenant);
    const verified = await verify(tenant, seen);
    if (!verified.ok) return `the audit of ${tenant || 'the installation'}: ${describe(verified)}`;
  }
  return null;
}

/**
 * Repeated erasures and revocations are in the audit, too. Without the key of keyed chains a
 * temporary key takes its place: a later check says which rows were written without the right one.
 */
async function useKeys(store: Store, keys: readonly Uint8Array[], now: number): Promise<void> {
  const heads = await store.auditHeads();
  if (heads.every(({ mac }) => mac === null)) return;
  const used = keys.length > 0 ? keys : [systemRandomness.bytes(SEALING_KEY_BYTES)];
  await store.useAuditKeys(deriveAuditKeys(used));
  await store.keyChains(now, 'any');
}

/** At every moment there is a whole database under the name. Answers how the older one is called now. */
function swap(file: string, fresh: string, now: number): string | null {
  const time = new Date(now).toISOString().replaceAll(':', '-');
  const kept = existsSync(file) ? `${file}.before-${time}` : null;
  if (kept !== null) linkSync(file, kept);
  // Left by a database that could not be read: they are not the new one's.
  for (const ending of ['-wal', '-shm']) {
    if (!existsSync(`${file}${ending}`)) continue;
    if (kept === null) rmSync(`${file}${ending}`);
    else renameSync(`${file}${ending}`, `${kept}${ending}`);
  }
  // What the older database had is knowingly given up: a start is not to miss it.
  for (const known of [headFileOf(file), lostNoteFile(file)]) rmSync(known, { force: true });
  renameSync(fresh, file);
  flushFile(file);
  return kept;
}

function report(
  file: string,
  kept: string | null,
  { redone, secrets }: Prepared,
  isDamaged: boolean,
): Answer {
  const { tenant: tenants, session: sessions, player: players } = countRows(file);
  const { playersErased, keysRevoked, keyTextsEnded } = redone;
  const lines = [
    `${file}: restored and checked. ${tenants} tenants, ${sessions} sessions, ${players} players.`,
    `Repeated: ${playersErased} players erased, ${keysRevoked} keys revoked, ${keyTextsEnded} key secrets ended.`,
    ...(kept === null
      ? []
      : [`The replaced database is kept as ${kept}. Delete it when you no longer need it.`]),
    ...(isDamaged
      ? [
          'It could not be read. Only the list beside the backup was applied: erasures and revocations since the last backup are unknown.',
        ]
      : []),
    ...lostWords(secrets),
    'Everybody must sign in to the dashboard again.',
  ];
  return {
    json: { file, kept, tenants, sessions, players, ...redone, isDamaged, secrets },
    text: lines.join('\n'),
  };
}
