/** The commands for operators of a service: its settings, its state, backups. */

import type { Command } from 'commander';
import type { Environment } from '../config.ts';
import { readConfig } from '../config.ts';
import type { RestoreOptions } from './backup/restore.ts';
import { add, addClientOptions, onStore, type Run, settingOption } from './command-parts.ts';
import type { HealthcheckOptions } from './service/healthcheck.ts';
import type { LoadtestOptions } from './service/loadtest.ts';
import type { SessionsOptions } from './service/sessions.ts';
import { flagsOf, SERVE_SETTINGS, type ServiceOptions } from './start/services.ts';
import type { LogsOptions } from './tenants/logs.ts';
import type { UsageOptions } from './tenants/usage.ts';
import { makeProgress } from './terminal/progress.ts';

interface DataOptions {
  readonly data?: string;
  readonly json?: boolean;
}

export function addRunning(program: Command, env: Environment, run: Run): void {
  addLooks(program, env, run);
  addHealthcheck(program, env, run);
  addBackups(program, env, run);
  addSessions(program, env, run);
  addLogs(program, env, run);
}

function addLooks(program: Command, env: Environment, run: Run): void {
  const config = add(program, 'config', 'print every setting with its value and its source');
  for (const name of SERVE_SETTINGS) config.addOption(settingOption(name));
  config
    .addHelpText('after', '\nExit code 1: serve would refuse these settings.')
    .action((options: ServiceOptions) =>
      run(async () => (await import('./config.ts')).showConfig(env, flagsOf(options))),
    );
  const doctor = add(program, 'doctor', 'check everything that a service needs and suggest fixes');
  for (const name of SERVE_SETTINGS) doctor.addOption(settingOption(name));
  doctor
    .option('--deep', 'check every page of the database, whatever its size')
    .addHelpText('after', '\nExit code 1: a check failed. Warnings alone end with 0.')
    .action((options: ServiceOptions & { readonly deep?: boolean }) =>
      run(async () => {
        const { examine } = await import('./doctor/doctor.ts');
        const reading = readConfig(env, flagsOf(options));
        const { deep: isDeep = false, json = false } = options;
        return examine({ reading, isDeep, now: Date.now(), say: makeProgress(json) });
      }),
    );
}

function addHealthcheck(program: Command, env: Environment, run: Run): void {
  add(program, 'healthcheck', 'check whether the service on this machine is ready')
    .option(
      '--url <url>',
      'URL of the service (default: the one on the data folder, else from the settings)',
    )
    .addOption(settingOption('dataDir'))
    .action((options: HealthcheckOptions) =>
      run(async () => (await import('./service/healthcheck.ts')).checkHealth(env, options)),
    );
}

function addBackups(program: Command, env: Environment, run: Run): void {
  add(program, 'backup <file>', 'back up all data to one file, also while the service runs')
    .addOption(settingOption('dataDir'))
    .addHelpText(
      'after',
      '\nIf <file> is a folder, the file is named by the time. Nothing is overwritten.',
    )
    .action((file: string, options: DataOptions) =>
      run(async () => {
        const { backUp, leaveToTheServer } = await import('./backup/backup.ts');
        const { readPlace } = await import('./store/workshop.ts');
        const place = readPlace(env, options);
        if ('error' in place) return place;
        if (place.store !== null) return leaveToTheServer(place.store);
        return backUp(place, file, Date.now(), makeProgress(options.json ?? false));
      }),
    );
  add(program, 'restore <file>', 'restore a backup while no service runs')
    .addOption(settingOption('dataDir'))
    .option('--withdrawn <file>', 'list of erasures and revocations (default: beside the backup)')
    .option('--anchor <file>', 'audit anchors (default: beside the backup)')
    .addHelpText('after', '\nThe replaced database is kept under another name.')
    .action((file: string, options: DataOptions & RestoreOptions) =>
      run(async () => {
        const { restore } = await import('./backup/restore.ts');
        const { readPlace, readSealConfig } = await import('./store/workshop.ts');
        const place = readPlace(env, options);
        if ('error' in place) return place;
        if (place.store !== null) {
          const { leaveToTheServer } = await import('./backup/backup.ts');
          return leaveToTheServer(place.store);
        }
        const config = readSealConfig(env, options.data);
        if ('error' in config) return config;
        return restore(config, file, options, Date.now(), makeProgress(options.json ?? false));
      }),
    );
}

function addSessions(program: Command, env: Environment, run: Run): void {
  const group = program.command('sessions').description('manage sessions of a running service');
  const load = () => import('./service/sessions.ts');
  addClientOptions(add(group, 'list', "list the newest sessions of the key's mode"))
    .option('--game <game>', 'only this game')
    .option('--status <status>', 'only pending, active or ended sessions')
    .option('--player <player>', 'only sessions with this player')
    .option('--limit <count>', 'how many, 1 to 100', '25')
    .action((options: SessionsOptions) =>
      run(async () => (await load()).listSessions(env, options)),
    );
  addClientOptions(add(group, 'show <session>', 'show a session')).action(
    (id: string, options: SessionsOptions) =>
      run(async () => (await load()).showSession(env, id, options)),
  );
  addClientOptions(
    add(group, 'watch <session>', 'print the frames of an active session until it ends'),
  )
    .addHelpText('after', '\nWith --json, prints each frame as received, one per line.')
    .action((id: string, options: SessionsOptions) =>
      run(async () => (await load()).watchSession(env, id, options)),
    );
  addClientOptions(add(group, 'end <session>', 'end a session; its result is aborted'))
    .option('--reason <text>', 'a note for the result')
    .action((id: string, options: SessionsOptions) =>
      run(async () => (await load()).endSession(env, id, options)),
    );
}

function addLogs(program: Command, env: Environment, run: Run): void {
  onStore(program, env, run)(
    'logs',
    "print a tenant's requests of the last 7 days",
    async (workshop, _, options) =>
      (await import('./tenants/logs.ts')).showLogs(workshop, options as LogsOptions),
  )
    .requiredOption('--tenant <tenant>', 'tenant, by id or slug')
    .option('--mode <mode>', 'live or test (default: both)')
    .option('--status <status>', 'a status (429), a class (4xx), or errors')
    .option('--key <key>', 'only this key, by id')
    .option('--session <session>', 'only requests about this session')
    .option('--request <request>', 'only this request, by its X-Request-Id')
    .option('--limit <count>', 'how many, 1 to 1000', '50')
    .option('--follow', 'follow new requests until Ctrl+C');
  onStore(program, env, run)(
    'usage',
    "print a tenant's usage by key and day, for billing",
    async (workshop, _, options) =>
      (await import('./tenants/usage.ts')).showUsage(workshop, options as UsageOptions),
  )
    .requiredOption('--tenant <tenant>', 'tenant, by id or slug')
    .option('--from <day>', 'first day, UTC (default: the first of the month)')
    .option('--to <day>', 'last day, UTC (default: today)')
    .option('--csv', 'print it as CSV');
  addClientOptions(
    add(program, 'loadtest', 'play matches against a running service and measure it'),
  )
    .option('--matches <count>', 'number of matches, 1 to 1000', '100')
    .option('--at-once <count>', 'matches at once, 1 to 90', '20')
    .option('--yes', 'allow a service on another machine')
    .action((options: LoadtestOptions & { readonly json?: boolean }) =>
      run(async () => {
        const { runLoadtest } = await import('./service/loadtest.ts');
        return runLoadtest(env, options, makeProgress(options.json ?? false));
      }),
    );
}
