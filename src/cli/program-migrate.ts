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
With --from and --to everything is copied from the one into the other, in one transaction, and read
back and compared. The service must not run meanwhile; a database that has anything in it is refused.

A copy that is refused or fails leaves nothing copied; the empty tables may have been made.`;

export function addMigrate(program: Command, env: Environment, run: Run): void {
  add(program, 'migrate', 'migrate or create the database, or copy it to PostgreSQL')
    .addOption(settingOption('dataDir'))
    .addOption(settingOption('store'))
    .addOption(settingOption('allowUnsafeStore'))
    .option('--dry-run', 'only print what would be done')
    .option('--from <url>', 'the database to copy: sqlite://FILE')
    .option('--to <url>', `the empty one to copy it into (default: ${SETTINGS.store.env})`)
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
    if (isDry) return wrongUsage('--dry-run says nothing of a copy');
    const { copyStore } = await import('./backup/copy-store.ts');
    const to = options.to ?? store;
    return await copyStore({ from, to, isUnsafeAllowed }, say);
  }
  if (options.to !== undefined) return wrongUsage('--to needs --from: what is to be copied?');
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
