/** The command line of `matchd withdrawn …`. The commands themselves are loaded on demand. */

import type { Command } from 'commander';
import type { Environment } from '../config.ts';
import { add, type Run, settingOption } from './command-parts.ts';
import type { Workshop } from './store/workshop.ts';
import { type Answer, failed, isRefusal } from './terminal/answer.ts';

type Shared = typeof import('./backup/withdrawn-shared.ts');
type Work = (shared: Shared, workshop: Workshop, url: string, file: string) => Promise<Answer>;

export function addWithdrawn(program: Command, env: Environment, run: Run): void {
  const group = program
    .command('withdrawn')
    .description('keep erasures and revocations when a PostgreSQL backup is restored');
  const command = (usage: string, description: string, work: Work) =>
    add(group, usage, description)
      .addOption(settingOption('store'))
      .action((file: string, options: { readonly store?: string }) =>
        run(async () => {
          const { readPlace, withWorkshop } = await import('./store/workshop.ts');
          const place = readPlace(env, options);
          if (isRefusal(place)) return place;
          const { store: url } = place;
          if (url === null) {
            return failed('For a data folder, matchd backup and restore do this automatically');
          }
          const shared = await import('./backup/withdrawn-shared.ts');
          return withWorkshop(place, 'refuse', (workshop) => work(shared, workshop, url, file));
        }),
      );
  command(
    'note <file>',
    'add all erasures and revocations to a list, to be stored with the backups',
    (shared, _, ...at) => shared.noteWithdrawn(...at),
  );
  command(
    'redo <file>',
    'repeat the listed erasures and revocations in a restored database',
    (shared, ...at) => shared.redoWithdrawn(...at),
  );
}
