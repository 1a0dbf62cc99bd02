/** The command line of `matchd secrets …`. The commands themselves are loaded on demand. */

import type { Command } from 'commander';
import type { Environment } from '../config.ts';
import type { Hold, SealConfig } from './backup/secrets.ts';
import { add, type Run, settingOption } from './command-parts.ts';
import type { Workshop } from './store/workshop.ts';
import type { Answer, Refusal } from './terminal/answer.ts';

type Work = (workshop: Workshop, config: SealConfig, isAgreed: boolean) => Promise<Answer>;

interface Options {
  readonly data?: string;
  readonly store?: string;
  readonly yes?: boolean;
}

export function addSecrets(program: Command, env: Environment, run: Run): void {
  const group = program
    .command('secrets')
    .description('manage the keys that seal secrets in the database');
  const load = () => import('./backup/secrets.ts');
  const command = (
    usage: string,
    description: string,
    pick: () => Promise<Work>,
    hold: (config: SealConfig, isShared: boolean) => Promise<Hold | Refusal> = async () => null,
  ) =>
    add(group, usage, description)
      .addOption(settingOption('dataDir'))
      .addOption(settingOption('store'))
      .action((options: Options) =>
        run(async () => {
          const { readPlace, readSealConfig, withWorkshop } = await import('./store/workshop.ts');
          const config = readSealConfig(env, options.data);
          if ('error' in config) return config;
          const place = readPlace(env, options);
          if ('error' in place) return place;
          const work = await pick();
          const held = await hold(config, place.store !== null);
          if (held !== null && 'error' in held) return held;
          return withWorkshop(place, 'refuse', (workshop) =>
            work(workshop, config, options.yes ?? false),
          ).finally(() => held?.release());
        }),
      );
  command(
    'show',
    'show which key seals secrets, and whether every secret can be opened',
    async () => (await load()).showSecrets,
  );
  command(
    'reseal',
    'reseal all secrets with the first key',
    async () => (await load()).resealSecrets,
  );
  command(
    'rotate',
    'add a new key to the key file and reseal all secrets with it',
    async () => (await load()).rotateKey,
    async (config, isShared) => (await load()).holdToRotate(config, isShared),
  );
  command(
    'forget',
    'delete secrets that no key can open, so that the service can start',
    async () => (await load()).forgetSecrets,
    async (config, isShared) => (await load()).holdToForget(config, isShared),
  ).option('--yes', 'delete them; without this option, only list them');
}
