/** `matchd secrets …` as it can be typed. What the commands do is loaded when asked for. */

import type { Command } from 'commander';
import type { Environment } from '../config.ts';
import type { Answer, Refusal } from './answer.ts';
import { add, type Run, settingOption } from './command-parts.ts';
import type { Hold, SealConfig } from './secrets.ts';
import type { Workshop } from './workshop.ts';

type Secrets = typeof import('./secrets.ts');
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
  const command = (
    usage: string,
    description: string,
    pick: (secrets: Secrets) => Work,
    hold: (secrets: Secrets, config: SealConfig, isShared: boolean) => Hold | Refusal = () => null,
  ) =>
    add(group, usage, description)
      .addOption(settingOption('dataDir'))
      .addOption(settingOption('store'))
      .action((options: Options) =>
        run(async () => {
          const { readPlace, readSealConfig, withWorkshop } = await import('./workshop.ts');
          const config = readSealConfig(env, options.data);
          if ('error' in config) return config;
          const place = readPlace(env, options);
          if ('error' in place) return place;
          const secrets = await import('./secrets.ts');
          const held = hold(secrets, config, place.store !== null);
          if (held !== null && 'error' in held) return held;
          return withWorkshop(place, 'refuse', (workshop) =>
            pick(secrets)(workshop, config, options.yes ?? false),
          ).finally(() => held?.release());
        }),
      );
  command(
    'show',
    'show which key seals secrets, and whether all of them open',
    (all) => all.showSecrets,
  );
  command('reseal', 'reseal all secrets with the first key', (all) => all.resealSecrets);
  command(
    'rotate',
    'create a new key in the file and reseal all secrets with it',
    (all) => all.rotateKey,
    (all, config, isShared) => all.holdToRotate(config, isShared),
  );
  command(
    'forget',
    'give up secrets that no key opens, so that the service can start',
    (all) => all.forgetSecrets,
    (all, config, isShared) => all.holdToForget(config, isShared),
  ).option('--yes', 'do it; without this it only says what would be given up');
}
