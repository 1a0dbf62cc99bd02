/** The commands for webhooks, players and bots of a running service, with a key. */

import type { Command } from 'commander';
import type { Environment } from '../config.ts';
import { add, addClientOptions, type Run } from './command-parts.ts';
import type { BotsOptions } from './service/bots.ts';
import type { ClientOptions } from './service/client.ts';
import type { HistoryOptions, PlayersOptions } from './service/players.ts';
import type { WebhooksOptions } from './service/webhooks.ts';

export function addServiceParts(program: Command, env: Environment, run: Run): void {
  addWebhooks(program, env, run);
  addPlayers(program, env, run);
  addBots(program, env, run);
}

const HOW_MANY = ['--limit <count>', 'how many, 1 to 100', '25'] as const;

function addWebhooks(program: Command, env: Environment, run: Run): void {
  const group = program.command('webhooks').description('manage webhooks of a running service');
  const load = () => import('./service/webhooks.ts');
  addClientOptions(add(group, 'list', 'list the webhooks that the key may see'))
    .option(...HOW_MANY)
    .action((options: WebhooksOptions) =>
      run(async () => (await load()).listWebhooks(env, options)),
    );
  addClientOptions(add(group, 'show <webhook>', 'show a webhook and its backlog')).action(
    (id: string, options: ClientOptions) =>
      run(async () => (await load()).showWebhook(env, id, options)),
  );
  addClientOptions(
    add(group, 'attempts <webhook>', 'list the newest delivery attempts of a webhook'),
  )
    .option(...HOW_MANY)
    .option('--event <event>', 'only this event, with its payload')
    .action((id: string, options: WebhooksOptions) =>
      run(async () => (await load()).listAttempts(env, id, options)),
    );
  addClientOptions(
    add(group, 'test <webhook>', 'send a test event now; exit code 1 if it is not delivered'),
  ).action((id: string, options: ClientOptions) =>
    run(async () => (await load()).testWebhook(env, id, options)),
  );
  addClientOptions(
    add(
      group,
      'resend <webhook> <event>',
      'send an event to a webhook once more; exit code 1 if it is not delivered',
    ),
  ).action((id: string, event: string, options: ClientOptions) =>
    run(async () => (await load()).resendEvent(env, id, event, options)),
  );
}

function addPlayers(program: Command, env: Environment, run: Run): void {
  const group = program.command('players').description('manage players of a running service');
  const load = () => import('./service/players.ts');
  addClientOptions(add(group, 'show <player>', 'show a player and their ratings')).action(
    (id: string, options: ClientOptions) =>
      run(async () => (await load()).showPlayer(env, id, options)),
  );
  addClientOptions(
    add(group, 'rating-history <player>', "list a player's rated matches of a game, newest first"),
  )
    .option('--game <game>', 'the game')
    .option(...HOW_MANY)
    .action((id: string, options: HistoryOptions) =>
      run(async () => (await load()).listRatingHistory(env, id, options)),
    );
  addClientOptions(add(group, 'export <player>', "export a player's data as JSON"))
    .option('--out <file>', 'output file (default: standard output)')
    .action((id: string, options: PlayersOptions) =>
      run(async () => (await load()).exportPlayer(env, id, options)),
    );
  addClientOptions(add(group, 'erase <player>', "erase a player's id and name; results remain"))
    .option('--yes', 'confirm: this cannot be undone')
    .action((id: string, options: PlayersOptions) =>
      run(async () => (await load()).erasePlayer(env, id, options)),
    );
}

function addBots(program: Command, env: Environment, run: Run): void {
  const group = program.command('bots').description('list bots of a running service');
  addClientOptions(add(group, 'list', 'list bots with their scores'))
    .option('--game <game>', 'only this game')
    .option(...HOW_MANY)
    .action((options: BotsOptions) =>
      run(async () => (await import('./service/bots.ts')).listBots(env, options)),
    );
}
