/** `matchd migrate` for a PostgreSQL database; nodes may be running on it. */

import { openDatabase } from '../../store/postgres/connect/database.ts';
import { checkSettings } from '../../store/postgres/connect/settings.ts';
import { migrate, pendingMigrations } from '../../store/postgres/migrate.ts';
import { placeOf } from '../../store/postgres/place.ts';
import { type Answer, failed } from '../terminal/answer.ts';
import type { Progress } from '../terminal/progress.ts';
import { pendingText, ranText } from './migrate.ts';

export async function migrateShared(
  url: string,
  { isUnsafeAllowed, isDry }: { readonly isUnsafeAllowed: boolean; readonly isDry: boolean },
  say: Progress,
): Promise<Answer> {
  const place = placeOf(url);
  const options = { url, max: 1, name: 'matchd migrate', onHead: () => {} };
  const db = openDatabase({ ...options, isPatient: true });
  try {
    await checkSettings(db, isUnsafeAllowed);
    if (isDry) {
      const pending = await pendingMigrations(db);
      return { json: { store: place, pending }, text: `${place} ${pendingText(pending)}` };
    }
    const ran = await migrate(db, undefined, (name) => say(`migrating: ${name}`));
    return { json: { store: place, ran }, text: `${place} ${ranText(ran)}` };
  } catch (error) {
    return failed(`${place}: ${(error as Error).message}`);
  } finally {
    await db.close();
  }
}
