/** `matchd migrate`: brings a database up to date, or copies one into the database of several nodes. */

import type { Command } from 'commander';
import { type Environment, SETTINGS } from '../config.ts';
import { parseStoreUrl } from '../setting-values.ts';
import { add, type Run, settingOption } from './command-parts.ts';
import type { Answer } from './terminal/answer.ts';
import { wrongUsage } from './terminal/answer.ts';
import { makeProgress } from './terminal/progress.ts';

interface MigrateOptions {
  readonly data?: string;
  readonly store?: string;
  readonly allowUnsafeStore?: boolean;
  readonly from?: string;
  readonly to?: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

const HELP = `
With --from and --to, everything is copied in one transaction, read back and compared. Stop the
service first. The target must be empty.

If the copy is refused or fails, nothing is copied. Empty tables may have been created.`;

export function addMigrate(program: Command, env: Environment, run: Run): void {
  add(program, 'migrate', 'migrate or create the database, or copy it to PostgreSQL')
    .addOption(settingOption('dataDir'))
    .addOption(settingOption('store'))
    .addOption(settingOption('allowUnsafeStore'))
    .option('--dry-run', 'only print the pending migrations')
    .option('--from <url>', 'the database to copy: sqlite://FILE')
    .option('--to <url>', `the empty database to copy it to (default: ${SETTINGS.store.env})`)
    .addHelpText('after', HELP)
    .action((options: MigrateOptions) => run(() => migrate(env, options)));
}

async function migrate(env: Environment, options: MigrateOptions): Promise<Answer> {
  const { from, dryRun: isDry = false, json = false } = options;
  const isUnsafeAllowed = options.allowUnsafeStore ?? env[SETTINGS.allowUnsafeStore.env] === '1';
  const say = makeProgress(json);
  // A folder that was typed is meant, whatever the environment says.
  const usual = options.data === undefined ? (env[SETTINGS.store.env] ?? '') : '';
  const store = options.store ?? usual;
  if (from !== undefined) {
    if (isDry) return wrongUsage('--dry-run cannot be used with --from');
    const { copyStore } = await import('./backup/copy-store.ts');
    const to = options.to ?? store;
    return await copyStore({ from, to, isUnsafeAllowed }, say);
  }
  if (options.to !== undefined) return wrongUsage('--to needs --from');
  if (store !== '') {
    if (parseStoreUrl(store) === undefined) {
      const { flag, env: name, expects } = SETTINGS.store;
      // The URL contains a password, so it is not shown.
      return wrongUsage(`${options.store === undefined ? name : flag}: expected ${expects}`);
    }
    const { migrateShared } = await import('./backup/migrate-shared.ts');
    return await migrateShared(store, { isUnsafeAllowed, isDry }, say);
  }
  const { readDataDir } = await import('./store/workshop.ts');
  const { migrateDataDir, showPending } = await import('./backup/migrate.ts');
  const dataDir = readDataDir(env, options.data);
  if (typeof dataDir !== 'string') return dataDir;
  return isDry ? showPending(dataDir) : migrateDataDir(dataDir, say);
}
