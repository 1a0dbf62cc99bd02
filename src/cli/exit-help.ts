/** The help on exit codes, and on what a failed command may have changed. */

import type { Command } from 'commander';

const CODES = 'Exit codes: 0 done, 1 failed, 2 wrong usage.';
const NOTHING = 'After 1 and 2 nothing has changed.';

const DATABASE =
  'After 2 nothing has changed. After 1 neither, unless the connection to the database broke: then look before you try again.';
const SERVICE =
  'After 2 nothing has changed. After 1 neither, unless the service did not answer: then look before you try again.';

/**
 * Commands that may have changed something when they fail, by their names. For all others: nothing.
 */
const AFTER_FAILURE: Readonly<Record<string, string>> = {
  dev: 'After 1 the data folder may have been made, or its database brought up to date.',
  serve: 'After 1 the data folder may have been made, or the database brought up to date.',
  'tenants create': `${DATABASE} An empty database may have been made, after 2 too.`,
  'tenants update': DATABASE,
  'tenants delete':
    'After 1 the tenant may be suspended, its sessions ended, some of it removed. Run it again.',
  'keys create': DATABASE,
  'keys rotate': DATABASE,
  'keys end-overlap': DATABASE,
  'keys revoke': DATABASE,
  'keys update': DATABASE,
  'accounts setup': DATABASE,
  'accounts reset': DATABASE,
  'secrets reseal': 'After 1 some secrets may be resealed already. Run it again.',
  'secrets rotate':
    'After 1 the new key may be in the file, before the older ones, and seal some secrets. Run "matchd secrets reseal".',
  'secrets forget':
    'After 1 without --yes nothing has changed. With it, a key file may have been made. What serves has to be stopped first.',
  listen: 'After 1 events may have been forwarded.',
  trigger: SERVICE,
  backup:
    'After 1 there is no backup, or a checked one without the list of what was erased or revoked, or the anchors of the audit; the error names which.',
  restore:
    'After 1 the database is as it was. The list of what was erased or revoked may be longer.',
  'sessions end': SERVICE,
  'webhooks test': 'After 1 the test event may have been sent.',
  'webhooks resend': 'After 1 the event may have been sent.',
  'players erase': SERVICE,
  loadtest: 'After 1 the matches that were played stay, and go after 7 days like all of test mode.',
  migrate:
    'After 1 the database may have been made, and steps before the one that failed stay. Run it again.',
  'games new': 'After 1 some files of the new game may have been written.',
  'games freeze': 'After 1 the file may have been begun; nothing else has changed.',
  'withdrawn redo': 'After 1 some of the list may be taken back. Run it again.',
  ladder: 'After 1 the games of the rounds before stand in the file of --out.',
};

/** Commands that open a database as the service does. */
const OPENING = new Set(['tenants', 'keys', 'accounts', 'secrets', 'audit', 'logs', 'usage']);
const OPENED = 'A database of an older matchd is brought up to date as it is opened.';

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
