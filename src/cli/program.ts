/**
 * The whole command line of `matchd`: commands, options, help. The commands themselves are loaded
 * on demand.
 */

import { Command } from 'commander';
import { VERSION } from '../build.ts';
import { type Environment, SETTINGS } from '../config.ts';
import { PLAN_NAMES } from '../tenancy/tenant.ts';
import { showOpenapi, showVersion } from './build.ts';
import {
  add,
  addClientOptions,
  collect,
  onStore,
  type Run,
  settingOption,
} from './command-parts.ts';
import { addExitHelp } from './exit-help.ts';
import type { GamesOptions } from './games/games-folder.ts';
import type { PerftOptions } from './inspect/perft.ts';
import type { LadderOptions } from './ladder/ladder.ts';
import { addGames } from './program-games.ts';
import { addMigrate } from './program-migrate.ts';
import { addRunning } from './program-running.ts';
import { addSecrets } from './program-secrets.ts';
import { addServiceParts } from './program-service.ts';
import { addWithdrawn } from './program-withdrawn.ts';
import type { ClientOptions } from './service/client.ts';
import type { ListenOptions } from './service/listen.ts';
import { DEV_SETTINGS, dev, SERVE_SETTINGS, type ServiceOptions, serve } from './start/services.ts';
import type { AccountLinkOptions } from './tenants/accounts.ts';
import type { AuditVerifyOptions } from './tenants/audit.ts';
import type { KeyCreateOptions, KeyUpdateOptions } from './tenants/keys.ts';
import type { TenantDeleteOptions } from './tenants/tenant-delete.ts';
import type { TenantCreateOptions, TenantUpdateOptions } from './tenants/tenants.ts';
import type { Refusal } from './terminal/answer.ts';
import { forErrors, paint } from './terminal/paint.ts';
import { makeProgress } from './terminal/progress.ts';

/** `env` is where settings come from that were not typed; `asJson` is for errors of usage. */
export function makeProgram(env: Environment, run: Run, asJson: boolean): Command {
  const program = new Command('matchd')
    .description('Runs multiplayer matches for tenants.')
    .version(VERSION, '-V, --version', 'print the version')
    .configureHelp({ styleTitle: (title) => paint('title', title) })
    .configureOutput({
      outputError: (text, write) => write(asJson ? usageJson(text) : usageText(text)),
    })
    .exitOverride();
  addServices(program, env, run);
  addTenants(program, env, run);
  addKeys(program, env, run);
  addAccounts(program, env, run);
  addSecrets(program, env, run);
  addAudit(program, env, run);
  addEvents(program, env, run);
  addRunning(program, env, run);
  addServiceParts(program, env, run);
  addWithdrawn(program, env, run);
  addMigrate(program, env, run);
  addGames(program, env, run);
  addOthers(program, env, run);
  add(program, 'completion <shell>', 'print the completion script for bash, zsh or fish').action(
    (shell: string) =>
      run(async () => (await import('./completion.ts')).printCompletion(program, shell)),
  );
  addExitHelp(program);
  return program;
}

function usageText(text: string): string {
  return forErrors(text.replace(/^error:/, paint('bad', 'error:')));
}

/** Commander's own errors in the form of ours. */
function usageJson(text: string): string {
  const error = text
    .replace(/^error: /, '')
    .trim()
    .replace(/\s*\n\s*/g, ' ');
  return `${JSON.stringify({ error })}\n`;
}

function addServices(program: Command, env: Environment, run: Run): void {
  const start =
    (work: (env: Environment, options: ServiceOptions) => Promise<Refusal | null>) =>
    (options: ServiceOptions) =>
      run(() => work(env, options));
  const devCommand = add(program, 'dev', 'serve on this machine with a demo tenant and its keys');
  for (const name of DEV_SETTINGS) devCommand.addOption(settingOption(name));
  devCommand
    .option('--sample-data', 'add a tenant with a month of sample data for the dashboard')
    .action(start(dev));
  const serveCommand = add(program, 'serve', 'serve in production');
  for (const name of SERVE_SETTINGS) serveCommand.addOption(settingOption(name));
  serveCommand
    .option('--adopt', 'serve from a data folder that `dev` has used')
    .addHelpText('after', `\nOnly as environment variables: ${variablesWithoutFlag().join(', ')}.`)
    .action(start(serve));
}

function variablesWithoutFlag(): string[] {
  return Object.values(SETTINGS)
    .filter(({ flag }) => flag === null)
    .map(({ env }) => env);
}

function addTenants(program: Command, env: Environment, run: Run): void {
  const group = program.command('tenants').description('manage tenants');
  const command = onStore(group, env, run);
  const load = () => import('./tenants/tenants.ts');
  command(
    'create',
    'create a tenant; creates the database if there is none',
    async (workshop, _, options) =>
      (await load()).createTenant(workshop, options as TenantCreateOptions),
    'make',
  )
    .requiredOption('--name <name>', 'display name')
    .option('--plan <plan>', `${PLAN_NAMES.join(', ')}`, 'starter')
    .option('--slug <slug>', "name in the play page's path (default: made of the name)");
  command('list', 'list all tenants', async (workshop) => (await load()).listTenants(workshop));
  command('show <tenant>', 'show a tenant, by id or slug', async (workshop, [name]) =>
    (await load()).showTenant(workshop, name!),
  );
  command('update <tenant>', 'update a tenant, by id or slug', async (workshop, [name], options) =>
    (await load()).updateTenant(workshop, name!, options as TenantUpdateOptions),
  )
    .option('--name <name>', 'another name')
    .option('--plan <plan>', `${PLAN_NAMES.join(', ')}; custom limits exist on enterprise only`)
    .option(
      '--limits <name=value>',
      "a custom limit, on enterprise only; `plan` restores the plan's (repeatable)",
      collect,
    )
    .option('--suspend', 'suspend the tenant: none of its keys work')
    .option('--activate', 'reactivate a suspended tenant');
  command(
    'delete <tenant>',
    "export a tenant's data and delete it",
    async (workshop, [name], options) => {
      const { deleteTenant } = await import('./tenants/tenant-delete.ts');
      const asked = options as TenantDeleteOptions;
      return deleteTenant(workshop, name!, asked, makeProgress(asked.json ?? false));
    },
  )
    .option('--export <file>', 'file for the export: JSON lines, without secrets')
    .option('--yes', 'delete without an export');
}

function addAudit(program: Command, env: Environment, run: Run): void {
  const group = program.command('audit').description('verify and anchor the audit log');
  const command = onStore(group, env, run);
  const load = () => import('./tenants/audit.ts');
  command(
    'verify',
    'verify every audit log, or one, from first to last row',
    async (workshop, _, options) => {
      const asked = options as AuditVerifyOptions & { readonly json?: boolean };
      return (await load()).verifyAudit(workshop, asked, makeProgress(asked.json ?? false));
    },
  )
    .option('--tenant <tenant>', "only this tenant's log, by id or slug")
    .option('--anchor <file>', 'anchors that the log must extend (repeatable)', collect)
    .option(
      '--seen <rows:hash>',
      "earlier values of matchd_audit_rows and matchd_audit_hash, for the installation's log (repeatable)",
      collect,
    );
  command(
    'anchor',
    'print a signed anchor of every audit log, to be stored elsewhere',
    async (workshop) => (await load()).anchorAudit(workshop),
  );
}

function addKeys(program: Command, env: Environment, run: Run): void {
  const group = program.command('keys').description('manage API keys');
  const command = onStore(group, env, run);
  const load = () => import('./tenants/keys.ts');
  const expires = '2027-01-31, 2027-01-31T12:00:00Z, 90d from now, or never';
  command('create', 'create a key and print it once', async (workshop, _, options) =>
    (await load()).createKey(workshop, options as KeyCreateOptions),
  )
    .requiredOption('--tenant <tenant>', 'tenant, by id or slug')
    .requiredOption('--mode <mode>', 'live or test')
    .option('--name <name>', 'display name (default: the mode)')
    .option('--scopes <scopes>', 'scopes: read,sessions,matchmaking,players,admin (default: all)')
    .option('--origin <origin>', 'allowed web origin (repeatable)', collect)
    .option('--require-origin', 'refuse requests without an Origin header')
    .option('--expires <when>', expires);
  command('list', "list a tenant's keys", async (workshop, _, options) =>
    (await load()).listKeys(workshop, (options as { readonly tenant: string }).tenant),
  ).requiredOption('--tenant <tenant>', 'tenant, by id or slug');
  command(
    'rotate <key>',
    'rotate a key and print the new secret once',
    async (workshop, [name], options) =>
      (await load()).rotateKey(workshop, name!, (options as { readonly overlap: string }).overlap),
  ).option('--overlap <time>', 'how long the previous secret still works, 0 to 7d', '24h');
  command(
    'end-overlap <key>',
    "end a rotation's overlap now: previous secrets stop working",
    async (workshop, [name]) => (await load()).endOverlap(workshop, name!),
  );
  command('revoke <key>', 'revoke a key permanently, within 2 s', async (workshop, [name]) =>
    (await load()).revokeKey(workshop, name!),
  );
  command('update <key>', 'update a key, by id or hint', async (workshop, [name], options) =>
    (await load()).updateKey(workshop, name!, options as KeyUpdateOptions),
  )
    .option('--name <name>', 'another name')
    .option('--origin <origin>', 'allowed web origins; replaces the list (repeatable)', collect)
    .option('--any-origin', 'allow every origin')
    .option('--require-origin', 'refuse requests without an Origin header')
    .option('--no-require-origin', 'accept requests without an Origin header')
    .option('--expires <when>', expires);
}

function addAccounts(program: Command, env: Environment, run: Run): void {
  const group = program.command('accounts').description('create links to the dashboard');
  const command = onStore(group, env, run);
  const load = () => import('./tenants/accounts.ts');
  const withUrl = (made: Command) => made.addOption(settingOption('publicUrl'));
  withUrl(
    command('setup', 'create a link that creates the first account', async (workshop, _, options) =>
      (await load()).makeSetup(workshop, env, options as AccountLinkOptions),
    ),
  );
  withUrl(
    command(
      'reset <email>',
      'create a link that sets a new password and removes the second factor',
      async (workshop, [email], options) =>
        (await load()).makeReset(workshop, env, email!, options as AccountLinkOptions),
    ),
  );
}

function addEvents(program: Command, env: Environment, run: Run): void {
  const listen = add(program, 'listen', 'forward events to a local program as signed webhooks');
  addClientOptions(listen)
    .requiredOption('--forward-to <url>', 'target URL, e.g. http://localhost:3000/hooks')
    .option('--types <types>', 'only these event types, separated by commas')
    .option('--secret <secret>', 'signing secret, whsec_… (default: a new one)')
    .action((options: ListenOptions) =>
      run(async () => (await import('./service/listen.ts')).listen(env, options)),
    );
  const trigger = add(program, 'trigger <type>', 'trigger a test event');
  addClientOptions(trigger).action((type: string, options: ClientOptions) =>
    run(async () => (await import('./service/trigger.ts')).trigger(env, type, options)),
  );
}

function addOthers(program: Command, env: Environment, run: Run): void {
  const replay = program.command('replay').description('verify replays');
  add(replay, 'verify <file>', 'verify a match from its replay; exit code 1 if it is invalid')
    .option('--keys <file or url>', 'public keys that check its signature, /.well-known/jwks.json')
    .addOption(settingOption('games'))
    .action((file: string, options: GamesOptions & { readonly keys?: string }) =>
      run(async () => {
        const { verifyReplayFile } = await import('./inspect/replay.ts');
        const { withGames } = await import('./games/games-folder.ts');
        const { keys = null } = options;
        return withGames(env, options, (games) => verifyReplayFile(file, keys, games));
      }),
    );
  add(program, 'perft <game>', 'count move sequences of checkers, tictactoe or connect4')
    .requiredOption('--depth <plies>', 'moves of a sequence, 1 to 30')
    .option('--variant <variant>', "the game's rule set (default: its first)")
    .option('--fen <fen>', 'starting position in PDN-FEN; checkers only')
    .option('--divide', 'print the count of each first move')
    .option('--merge', 'count captures that differ only in their path once; checkers only')
    .action((game: string, options: PerftOptions) =>
      run(async () => (await import('./inspect/perft.ts')).countSequences(game, options)),
    );
  addLadder(program, run);
  add(
    program,
    'solve <game> [moves]',
    'solve a position of connect4; moves are columns 1 to 7, without spaces',
  )
    .addHelpText('after', '\nWith fewer than eight stones this can take minutes.')
    .action((game: string, moves = '') =>
      run(async () => (await import('./inspect/solve.ts')).solvePosition(game, moves)),
    );
  add(program, 'shot <file>', 'simulate one pool shot; `-` reads standard input').action(
    (file: string) => run(async () => (await import('./inspect/shot.ts')).simulateShotFile(file)),
  );
  add(program, 'openapi', 'print the OpenAPI 3.1 document').action(() => run(showOpenapi));
  add(program, 'version', 'print the version and the runtime').action(() => run(showVersion));
}

function addLadder(program: Command, run: Run): void {
  add(program, 'ladder <game>', "play a game's bots against each other, without a server")
    .option('--variant <variant>', "the game's rule set (default: its first)")
    .option('--seats <count>', "seats, alternating between two levels (default: the game's)")
    .option(
      '--levels <levels>',
      'two or more of easy, medium, hard, perfect; search-easy, search-medium and search-hard play any game (default: all but these)',
    )
    .option('--games <count>', 'maximum number of games for each pair', '2000')
    .option(
      '--within <points>',
      'stop a pair when its score is known within this many points of 100; 0 plays all games (default: 3, pool 7)',
    )
    .option('--seed <text>', 'random seed: the same seed plays the same games', '1')
    .option('--opening <plies>', 'random moves before the bots start', '0')
    .option('--workers <count>', 'games played at once (default: one per processor)')
    .option('--out <file>', 'store the games in a file, which a later run continues')
    .addHelpText('after', '\nCtrl+C (SIGINT) stops and reports the games played so far.')
    .action((game: string, options: LadderOptions) =>
      run(async () =>
        (await import('./ladder/ladder.ts')).playLadder(
          game,
          options,
          makeProgress(options.json ?? false),
        ),
      ),
    );
}
