/** Faults in the store's scripts, as they are shipped: one place of one file each. */

import type { Mutant, Patch } from './mutant.ts';

export const SCRIPT_PATCHES: readonly Mutant[] = [
  {
    name: 'blind-append',
    fault: 'a record is written over the one that stands in its place',
    isOfClusters: true,
    hurts: ['I1', 'I2', 'I3', 'I4', 'I5', 'I6', 'I7'],
    patch: {
      file: 'src/store/sqlite/writer/batch-writer.ts',
      from: 'VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
      to: 'VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET at = excluded.at, record = excluded.record',
    },
  },
  {
    name: 'conflict-unseen',
    fault: 'a commit of which another node has written the versions is told as done',
    isOfClusters: true,
    hurts: ['I1', 'I2', 'I3', 'I5', 'I6', 'L', 'P4'],
    patch: {
      file: 'src/store/scripts/sessions/commits.ts',
      from: "(winners.has(session) ? 'committed' : 'conflict')",
      to: "(winners.has(session) ? 'committed' : 'committed')",
    },
  },
  {
    name: 'ended-put-to-sleep',
    fault: 'a forgotten status: a session that has ended is claimed as if it slept',
    isOfClusters: true,
    hurts: ['L'],
    patch: {
      file: 'src/store/scripts/cluster/holds.ts',
      from: "WHERE holder IS NULL AND status <> 'ended' ORDER BY",
      to: 'WHERE holder IS NULL ORDER BY',
    },
  },
  {
    name: 'pool-of-all',
    fault: 'a forgotten status: groups that have started or were cancelled are started again',
    isOfClusters: false,
    hurts: ['I8', 'I9', 'I10', 'I16', 'X'],
    patch: {
      file: 'src/store/scripts/tickets/group-starts.ts',
      from: 'const groups = new Map(Array.from(rows, ([id, row]) => [id, toWholeTicket(row)]));',
      to: "const groups = new Map(Array.from(rows, ([id, row]) => [id, toWholeTicket({ ...row, status: 'promoted' })]));",
    },
  },
  {
    name: 'uncounted-end',
    fault: 'a counter without its row: of sessions that end together one stays counted',
    isOfClusters: false,
    hurts: ['I16'],
    patch: {
      file: 'src/store/scripts/sessions/session-changes.ts',
      from: 'uncountAll(tx, ended.map(toOpenCounter));',
      to: 'uncountAll(tx, ended.slice(1).map(toOpenCounter));',
    },
  },
  {
    name: 'events-of-losers',
    fault:
      'an event outside its transaction: what a commit tells is told though it was not written',
    isOfClusters: true,
    hurts: ['E1'],
    patch: {
      file: 'src/store/scripts/sessions/commits.ts',
      from: 'for (const { events = [] } of winning)',
      to: 'for (const { events = [] } of commits)',
    },
  },
  {
    name: 'read-then-write',
    fault: 'a ticket has room by what was read of it, whoever is added beside',
    isOfClusters: false,
    hurts: ['I8', 'I9', 'X'],
    patch: {
      file: 'src/store/scripts/tickets/ticket-adds.ts',
      from: 'taken: ticket.taken + grown,',
      to: 'taken: 0 * grown,',
    },
  },
  {
    name: 'answer-kept-later',
    fault: 'an idempotent answer is not kept with its effect, but after it',
    isOfClusters: false,
    hurts: ['I15'],
    patch: {
      file: 'src/store/scripts/sessions/creates.ts',
      from: 'const answers = made.flatMap(({ idempotency }) => idempotency ?? []);',
      to: 'const answers = made.flatMap(({ idempotency }) => (idempotency === null ? [] : []));',
    },
  },
  {
    name: 'rated-once-of-many',
    fault: 'of matches that end together the first alone is rated',
    isOfClusters: false,
    hurts: ['L1'],
    patch: {
      file: 'src/store/scripts/sessions/session-changes.ts',
      from: 'await rateMatches(tx, ended.map(toEnded));',
      to: 'await rateMatches(tx, ended.map(toEnded).slice(0, 1));',
    },
  },
  {
    name: 'outstanding-forgotten',
    fault: 'an event that is to be sent again is not kept',
    isOfClusters: false,
    hurts: ['I12', 'L'],
    patch: {
      file: 'src/store/scripts/webhooks/webhook-progress.ts',
      from: 'if (changed.length > 0) await tx.run(KEEP, { given: changed });',
      to: 'if (changed.length > 1) await tx.run(KEEP, { given: changed });',
    },
  },
];

/** A fault that the contract's suite finds, in the store in memory. */
export interface ContractMutant {
  readonly name: string;
  readonly fault: string;
  readonly patch: Patch;
}

export const CONTRACT_MUTANTS: readonly ContractMutant[] = [
  {
    name: 'list-with-the-last',
    fault: 'a list off by one: the next page begins with the last of the one before',
    patch: {
      file: 'src/store/scripts/tickets/tickets.ts',
      from: ' AND id < :before\n  ORDER BY id DESC',
      to: ' AND id <= :before\n  ORDER BY id DESC',
    },
  },
  {
    name: 'events-of-undone',
    fault:
      'an event outside its transaction: what a transaction told that was undone is told by the next',
    patch: {
      file: 'src/store/sqlite/writer/batch-writer.ts',
      from: '  events.clear();\n',
      to: '',
    },
  },
  {
    name: 'answer-replaced',
    fault: 'an idempotent answer gives way to a later one, though it is still good',
    patch: {
      file: 'src/store/scripts/shared/answers.ts',
      from: 'WHERE idempotency.expires_at <= :kept_at`;',
      to: 'WHERE idempotency.expires_at <> :kept_at`;',
    },
  },
  {
    name: 'forming-forgotten',
    fault: 'a forgotten status: whoever was in any ticket of the game may be put into no other',
    patch: {
      file: 'src/store/scripts/tickets/ticket-adds.ts',
      from: '        AND ticket_player.forming) AS elsewhere',
      to: '        LIMIT 1) AS elsewhere',
    },
  },
  {
    name: 'month-uncounted',
    fault: 'a counter without its row: a session that is refused its month is counted as open',
    patch: {
      file: 'src/store/scripts/shared/counters.ts',
      from: 'if (refusals.size > 0) throw new Refused(refusals);',
      to: '',
    },
  },
  {
    name: 'same-twice-in-a-batch',
    fault: 'a conflict not looked at: of two starts of a group in one transaction both are done',
    patch: {
      file: 'src/store/scripts/tickets/group-starts.ts',
      from: 'for (const id of start.groups) groups.set(id, asStarted(groups.get(id)!, start));',
      to: '',
    },
  },
  {
    name: 'sleep-of-others',
    fault: 'a node that is late puts to sleep what another holds by now',
    patch: {
      file: 'src/store/scripts/sessions/sleeping.ts',
      from: 'AND (session.holder IS NULL OR session.holder = :node)',
      to: 'AND (session.holder IS NULL OR :node = :node)',
    },
  },
  {
    name: 'gone-still-here',
    fault: 'the row of a player who went is left',
    patch: {
      file: 'src/store/scripts/cluster/presence.ts',
      from: 'const gone = rows.filter(({ isConnected }) => !isConnected);',
      to: 'const gone = rows.filter(({ isConnected }) => !isConnected).slice(1);',
    },
  },
];
