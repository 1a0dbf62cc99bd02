/**
 * `matchd withdrawn`: the list of erasures and revocations, for a database whose backups are made
 * by its own tools.
 */

import { existsSync } from 'node:fs';
import { INSTALLATION } from '../../runtime/accounts/logins.ts';
import { openDatabase } from '../../store/postgres/connect/database.ts';
import {
  endLogins,
  endSecret,
  findNamed,
  listWithdrawals,
} from '../../store/postgres/withdrawals.ts';
import { makeAudit, type Workshop } from '../store/workshop.ts';
import { type Answer, failed, type Report } from '../terminal/answer.ts';
import { withdrawAgain } from './withdraw-again.ts';
import { mergeWithdrawn, readWithdrawn, writeWithdrawn } from './withdrawn.ts';

/** Adds to the list in the file, which is stored apart from the database and contains no names. */
export function noteWithdrawn(url: string, file: string): Promise<Report> {
  return withDatabase(url, async (db) => {
    const known = readWithdrawn(file);
    const all = mergeWithdrawn(known, await listWithdrawals(db));
    writeWithdrawn(file, all);
    const added = all.length - known.length;
    return {
      json: { file, known: all.length, added },
      text: `${file}: ${all.length} erasures and revocations, ${added} of them new`,
    };
  });
}

/** To be run on a database that was restored, before a node is. */
export async function redoWithdrawn(
  { store, clock }: Workshop,
  url: string,
  file: string,
): Promise<Answer> {
  if (!existsSync(file)) return failed(`List not found: ${file}`);
  const list = readWithdrawn(file);
  return await withDatabase(url, async (db) => {
    const redone = await withdrawAgain(list, {
      store,
      findNamed: (ref) => findNamed(db, ref),
      endSecret: (id, at) => endSecret(db, id, at),
    });
    await endLogins(db);
    await store.addAudit(makeAudit(INSTALLATION, 'database.restored', '', clock.now()));
    const { playersErased, keysRevoked, keyTextsEnded } = redone;
    return {
      json: redone,
      text:
        `Repeated: ${playersErased} players erased, ${keysRevoked} keys revoked, ` +
        `${keyTextsEnded} key secrets ended.\nEverybody must sign in to the dashboard again.`,
    };
  });
}

async function withDatabase<T>(
  url: string,
  work: (db: ReturnType<typeof openDatabase>) => Promise<T>,
): Promise<T> {
  const db = openDatabase({ url, max: 1, name: 'matchd withdrawn', onHead: () => {} });
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}
