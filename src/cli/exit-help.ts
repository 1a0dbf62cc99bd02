/** The help on exit codes, and on what a failed command may have changed. */

import type { Command } from 'commander';

const CODES = 'Exit codes: 0 done, 1 failed, 2 wrong usage.';
const NOTHING = 'After exit code 1 or 2, nothing has changed.';

const DATABASE =
  'After exit code 2, nothing has changed. After exit code 1 the same, unless the connection to the database broke: then check before you retry.';
const SERVICE =
  'After exit code 2, nothing has changed. After exit code 1 the same, unless the service did not answer: then check before you retry.';

/**
 * Commands that may have changed something when they fail, by their names. For all others: nothing.
 */
const AFTER_FAILURE: Readonly<Record<string, string>> = {
  dev: 'After exit code 1, the data folder may have been created or its database migrated.',
  serve: 'After exit code 1, the data folder may have been created or the database migrated.',
  'tenants create': `${DATABASE} An empty database may have been created, also after 2.`,
  'tenants update': DATABASE,
  'tenants delete':
    'After exit code 1, the tenant may be suspended, its sessions ended, and part of its data removed. Run it again.',
  'keys create': DATABASE,
  'keys rotate': DATABASE,
  'keys end-overlap': DATABASE,
  'keys revoke': DATABASE,
  'keys update': DATABASE,
  'accounts setup': DATABASE,
  'accounts reset': DATABASE,
  'secrets reseal': 'After exit code 1, some secrets may already be resealed. Run it again.',
  'secrets rotate':
    'After exit code 1, the new key may be the first in the file and seal some secrets. Run "matchd secrets reseal".',
  'secrets forget':
    'Stop the service or all nodes first. After exit code 1 without --yes, nothing has changed; with it, a key file may have been created.',
  listen: 'After exit code 1, events may have been forwarded.',
  trigger: SERVICE,
  backup:
    'After exit code 1, there is no backup, or a checked one without its list of erasures and revocations or its audit anchors. The error says which.',
  restore:
    'After exit code 1, the database is unchanged. The list of erasures and revocations may be longer.',
  'sessions end': SERVICE,
  'webhooks test': 'After exit code 1, the test event may have been sent.',
  'webhooks resend': 'After exit code 1, the event may have been sent.',
  'players erase': SERVICE,
  loadtest:
    'After exit code 1, played matches remain. They are deleted after 7 days, like all test sessions.',
  migrate:
    'After exit code 1, the database may have been created and some migrations applied. Run it again.',
  'games new': 'After exit code 1, some files of the new game may have been written.',
  'games freeze': 'After exit code 1, the file may be incomplete. Nothing else has changed.',
  'withdrawn redo': 'After exit code 1, part of the list may have been applied. Run it again.',
  ladder: 'After exit code 1, the file of --out has the games of the earlier rounds.',
};

/** Commands that open a database as the service does. */
const OPENING = new Set(['tenants', 'keys', 'accounts', 'secrets', 'audit', 'logs', 'usage']);
const OPENED = 'Opening a database of an older version migrates it.';

/** Added to every command, once all are defined. Throws when the table names an unknown one. */
export function addExitHelp(program: Command): void {
  const unknown = new Set(Object.keys(AFTER_FAILURE));
  const visit = (command: Command, names: readonly string[]): void => {
    const name = names.join(' ');
    unknown.delete(name);
    const isGroup = command.commands.length > 0;
    const lines = isGroup ? [CODES] : [CODES, AFTER_FAILURE[name] ?? NOTHING];
    if (!isGroup && OPENING.has(names[0]!)) lines.push(OPENED);
    command.addHelpText('after', `\n${lines.join('\n')}`);
    for (const each of command.commands) visit(each, [...names, each.name()]);
  };
  visit(program, []);
  if (unknown.size > 0) throw new Error(`no such command: ${[...unknown].join(', ')}`);
}
