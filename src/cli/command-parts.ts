/** What commands are put together from: `--json`, settings as options, work on the store, a running service. */

import { type Command, Option } from 'commander';
import { type Environment, SETTINGS, type SettingName } from '../config.ts';
import type { Workshop } from './store/workshop.ts';
import type { Answer } from './terminal/answer.ts';

/** Does a command's work and says how it ended; null when there is nothing to say. */
export type Run = (work: () => Answer | null | Promise<Answer | null>) => Promise<void>;

/** A command without arguments or with `<arg>`s, with `--json`. */
export function add(parent: Command, usage: string, description: string): Command {
  return parent
    .command(usage)
    .description(description)
    .option('--json', 'print one line of JSON (errors too, on standard error)');
}

/** Options without a value: their presence is the value. */
const SWITCHES: readonly SettingName[] = ['allowUnsafeStore'];

export function settingOption(name: SettingName): Option {
  const { flag, env, meaning, otherwise } = SETTINGS[name];
  const source = otherwise === '' ? env : `${env}, else ${otherwise}`;
  const value = SWITCHES.includes(name) ? '' : ' <value>';
  return new Option(`${flag}${value}`, `${meaning} (${source})`);
}

export function collect(text: string, previous: readonly string[] = []): readonly string[] {
  return [...previous, text];
}

export type OnStore = (
  usage: string,
  description: string,
  work: (workshop: Workshop, args: readonly string[], options: object) => Promise<Answer | null>,
  whenMissing?: 'make' | 'refuse',
) => Command;

/** Adds commands that work on the store: of the data folder, or the one that nodes share. */
export function onStore(parent: Command, env: Environment, run: Run): OnStore {
  return (usage, description, work, whenMissing = 'refuse') =>
    add(parent, usage, description)
      .addOption(settingOption('dataDir'))
      .addOption(settingOption('store'))
      .action((...all: unknown[]) => {
        // Commander hands over the arguments, then the options, then the command.
        const args = all.slice(0, -2) as string[];
        const options = all.at(-2) as { readonly data?: string; readonly store?: string };
        return run(async () => {
          const { readPlace, withWorkshop } = await import('./store/workshop.ts');
          const place = readPlace(env, options);
          if ('error' in place) return place;
          return withWorkshop(place, whenMissing, (workshop) => work(workshop, args, options));
        });
      });
}

/** Options of commands that speak with a running service. */
export function addClientOptions(command: Command): Command {
  return command
    .option('--url <url>', 'URL of the service (default: the one that runs on the data folder)')
    .option('--key <key>', "an API key (default: the demo tenant's test key)")
    .addOption(settingOption('dataDir'));
}
