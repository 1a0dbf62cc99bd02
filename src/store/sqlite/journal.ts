/** The journal in SQLite: the calls of the port, reads beside the writer. */

import { CHAIN_START } from '../../accounts/audit-chain.ts';
import type { GameId } from '../../games/game.ts';
import type { JournalStore } from '../journal.ts';
import { toAudit, toKeyUsage, toPeak, toRequest, toUsage } from '../rows/journal-rows.ts';
import { openCounter } from '../rows/open-counter.ts';
import { textOrNull } from '../rows/row.ts';
import { toTicket } from '../rows/ticket-rows.ts';
import type { GroupCommit } from './group-commit.ts';
import type { Prepare } from './rows.ts';
import { PLAYERS_OF_TICKET } from './ticket-rows.ts';

export type JournalReads = Omit<
  JournalStore,
  'logRequests' | 'removeRequests' | 'samplePeaks' | 'addAudit' | 'addMilestones'
>;

/** Sessions looked at for one that began. */
const LOOKED_AT = 500;

export function makeJournalReads(all: Prepare): JournalReads {
  return {
    ...makeRequestReads(all),
    ...makeAuditReads(all),
    ...makeWorldReads(all),
  };
}

export function makeJournalStore(writer: GroupCommit, reads: JournalReads): JournalStore {
  return {
    ...reads,
    async logRequests(rows) {
      await writer.perform<'logRequests'>({ op: 'logRequests', rows });
    },
    removeRequests: (tenant, mode, before, limit) =>
      writer.perform<'removeRequests'>({ op: 'removeRequests', tenant, mode, before, limit }),
    async samplePeaks(sample) {
      await writer.perform<'samplePeaks'>({ op: 'samplePeaks', sample });
    },
    async addAudit(audit) {
      await writer.perform<'addAudit'>({ op: 'addAudit', audit });
    },
    async addMilestones(tenant, mode, steps) {
      await writer.perform<'addMilestones'>({ op: 'addMilestones', tenant, mode, steps });
    },
  };
}

/** After every id there is. */
const LAST = '\u{10ffff}';

function makeRequestReads(all: Prepare) {
  const page = (more: string) =>
    all(
      `SELECT * FROM request WHERE tenant = ? AND mode = ? AND id < ? ${more}
       ORDER BY id DESC LIMIT ?`,
    );
  const every = page('');
  const errors = page('AND status >= 400');
  const one = all('SELECT * FROM request WHERE tenant = ? AND mode = ? AND id = ?');
  const usage = all(
    'SELECT * FROM usage WHERE tenant = ? AND mode = ? AND day >= ? ORDER BY day, kind',
  );
  const keyUsage = all(
    `SELECT * FROM key_usage WHERE tenant = ? AND day BETWEEN ? AND ?
     ORDER BY day, key, mode, kind, game`,
  );
  const peaks = all(
    'SELECT * FROM usage_peak WHERE tenant = ? AND day BETWEEN ? AND ? ORDER BY day, mode, kind',
  );
  const counter = all('SELECT n FROM counter WHERE tenant = ? AND name = ?');
  const countOf = (tenant: string, name: string): number =>
    Number(counter(tenant, name)[0]?.['n'] ?? 0);
  return {
    listRequests: (async ({ tenant, mode, errorsOnly, before, limit }) =>
      (errorsOnly ? errors : every)(tenant, mode, before ?? LAST, limit).map(
        toRequest,
      )) as JournalStore['listRequests'],
    findRequest: (async (tenant, mode, id) =>
      one(tenant, mode, id).map(toRequest)[0] ?? null) as JournalStore['findRequest'],
    listUsage: (async (tenant, mode, fromDay) =>
      usage(tenant, mode, fromDay).map(toUsage)) as JournalStore['listUsage'],
    listKeyUsage: (async (tenant, from, to) =>
      keyUsage(tenant, from, to).map(toKeyUsage)) as JournalStore['listKeyUsage'],
    listPeaks: (async (tenant, from, to) =>
      peaks(tenant, from, to).map(toPeak)) as JournalStore['listPeaks'],
    planUse: (async (tenant, mode, month) => ({
      monthSessions: countOf(tenant, `sessions:${month}`),
      openSessions: countOf(tenant, openCounter({ mode })),
    })) as JournalStore['planUse'],
  };
}

function makeAuditReads(all: Prepare) {
  const newest = all('SELECT * FROM audit WHERE tenant = ? AND n < ? ORDER BY n DESC LIMIT ?');
  const after = all('SELECT * FROM audit WHERE tenant = ? AND n > ? ORDER BY n LIMIT ?');
  return {
    listAudit: (async (tenant, before, limit) =>
      newest(tenant, before ?? Number.MAX_SAFE_INTEGER, limit).map(
        toAudit,
      )) as JournalStore['listAudit'],
    readAudit: (async (tenant, from, limit) =>
      after(tenant, from, limit).map(toAudit)) as JournalStore['readAudit'],
    auditHead: (async (tenant) =>
      newest(tenant, Number.MAX_SAFE_INTEGER, 1)
        .map(toAudit)
        .map(({ n, hash }) => ({ n, hash }))[0] ?? {
        n: 0,
        hash: CHAIN_START,
      }) as JournalStore['auditHead'],
  };
}

function makeWorldReads(all: Prepare) {
  const players = all(
    `SELECT player_id, display_name, created_at FROM player
     WHERE tenant = ? AND world = ? AND player_id >= ? AND player_id < ?
     ORDER BY player_id LIMIT ?`,
  );
  const tickets = all(
    `SELECT * FROM ticket WHERE tenant = ? AND mode = ? AND ended_at IS NULL
     ORDER BY id DESC LIMIT ?`,
  );
  const ticketPlayers = all(PLAYERS_OF_TICKET);
  const checked = all(
    `SELECT id, game, created_at, integrity FROM session
     WHERE tenant = ? AND mode = ? AND integrity IS NOT NULL AND id >= ? ORDER BY id DESC LIMIT ?`,
  );
  const newestSessions = all(
    `SELECT started_at, ended_at FROM session WHERE tenant = ? AND mode = ?
     ORDER BY id DESC LIMIT ${LOOKED_AT}`,
  );
  const milestones = all('SELECT name, at FROM milestone WHERE tenant = ? AND mode = ?');
  const nodes = all('SELECT id, alive_at FROM node ORDER BY alive_at DESC LIMIT 50');
  return {
    findPlayers: (async (tenant, world, prefix, limit) =>
      players(tenant, world, prefix, prefix + LAST, limit).map((row) => ({
        playerId: String(row['player_id']),
        displayName: textOrNull(row['display_name']),
        createdAt: Number(row['created_at']),
      }))) as JournalStore['findPlayers'],
    listOpenTickets: (async (tenant, mode, limit) =>
      tickets(tenant, mode, limit).map((row) =>
        toTicket(row, ticketPlayers(row['id']!)),
      )) as JournalStore['listOpenTickets'],
    listChecked: (async (tenant, mode, from, limit) =>
      checked(tenant, mode, from, limit).map((row) => ({
        session: String(row['id']),
        game: row['game'] as GameId,
        createdAt: Number(row['created_at']),
        integrity: String(row['integrity']),
      }))) as JournalStore['listChecked'],
    sessionSteps: (async (tenant, mode) => {
      const rows = newestSessions(tenant, mode);
      const started = rows.filter((row) => row['started_at'] !== null);
      return {
        made: rows.length > 0,
        started: started.length > 0,
        ended: started.some((row) => row['ended_at'] !== null),
      };
    }) as JournalStore['sessionSteps'],
    listMilestones: (async (tenant, mode) =>
      milestones(tenant, mode).map((row) => ({
        name: String(row['name']),
        at: Number(row['at']),
      }))) as JournalStore['listMilestones'],
    listNodes: (async () =>
      nodes().map((row) => ({
        id: String(row['id']),
        aliveAt: Number(row['alive_at']),
      }))) as JournalStore['listNodes'],
  };
}
