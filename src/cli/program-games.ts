/** The commands about an operator's own games: begin one, check it, freeze a version, list all. */

import type { Command } from 'commander';
import type { Environment } from '../config.ts';
import { add, type Run, settingOption } from './command-parts.ts';
import type { CheckOptions } from './games/games-check.ts';
import type { GamesOptions } from './games/games-folder.ts';
import { makeProgress } from './terminal/progress.ts';

export function addGames(program: Command, env: Environment, run: Run): void {
  const group = program.command('games').description('manage your own games, one folder each');
  const command = (usage: string, description: string): Command =>
    add(group, usage, description).addOption(settingOption('games'));
  command('list', 'list the shipped games and your own, in every version').action(
    (options: GamesOptions) =>
      run(async () => (await import('./games/games-list.ts')).listGames(env, options)),
  );
  command('new <name>', 'create a game: a folder that runs, with its test')
    .addHelpText('after', '\nAlso creates the folder of games, with a copy of @matchd/game.')
    .action((name: string, options: GamesOptions) =>
      run(async () => (await import('./games/games-new.ts')).newGame(env, name, options)),
    );
  command('check [game]', 'check one or all games against the contract of the service')
    .option('--plays <count>', 'random games to play', '10000')
    .option('--hostile <count>', 'hostile inputs to try', '100000')
    .option('--seed <number>', 'random seed, to repeat a check (default: a new one)')
    .addHelpText(
      'after',
      '\nThe game is a name in the folder, or a path. Exit code 1: a check failed.',
    )
    .action((game: string | undefined, options: CheckOptions) =>
      run(async () => {
        const { checkGames } = await import('./games/games-check.ts');
        return checkGames(env, game, options, makeProgress(options.json ?? false));
      }),
    );
  command('freeze <game>', "freeze a game's current rules for matches that began with them")
    .addHelpText(
      'after',
      '\nWrites versions/<rulesVersion>.mjs. Run it before you change the rules.',
    )
    .action((game: string, options: GamesOptions) =>
      run(async () => (await import('./games/games-freeze.ts')).freezeGame(env, game, options)),
    );
}
