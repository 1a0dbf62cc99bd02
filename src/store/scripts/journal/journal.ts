/** The journal: requests and usage, audit, and the dashboard's lookups. */

import type { GameId } from '../../../../game/src/game.ts';
import type { KeyMode } from '../../../tenancy/tenant.ts';
import type { JournalStore, Milestone } from '../../journal.ts';
import { textOrNull } from '../../rows/row.ts';
import { toTicket } from '../../rows/ticket-rows.ts';
import type { AuditRow } from '../../store.ts';
import { insertAudits } from '../shared/audit.ts';
import { LAST_TEXT } from '../shared/last-text.ts';
import { type Runner, type Script, type Sql, scriptOfOne } from '../shared/script.ts';
import { toWholeTicket, WHOLE_TICKET } from '../tickets/ticket-rows.ts';
import { makeAuditReads } from './audit-reads.ts';
import { makeUsageCalls, USAGE_SCRIPTS } from './usage.ts';

/** Sessions examined to find one that started. */
const LOOKED_AT = 500;

export function makeJournalStore(runner: Runner): JournalStore {
  const { sql, write } = runner;
  return {
    ...makeUsageCalls(runner),
    ...makeAuditReads(sql),
    ...makeWorldReads(sql),
    ...makeStepReads(sql),
    async addAudit(audit) {
      await write(ADD_AUDIT, audit);
    },
    async addMilestones(tenant, mode, steps) {
      await write(ADD_MILESTONES, { tenant, mode, steps });
    },
  };
}

// ── writes ─────────────────────────────────────────────────────────────────────────────────────

const ADD_AUDIT: Script<AuditRow, null> = {
  name: 'addAudit',
  async act(tx, audits) {
    await insertAudits(tx, audits);
    return audits.map(() => null);
  },
};

interface AddMilestones {
  readonly tenant: string;
  readonly mode: KeyMode;
  readonly steps: readonly Milestone[];
}

const ADD_MILESTONES = scriptOfOne(
  'addMilestones',
  async (tx, { tenant, mode, steps }: AddMilestones) => {
    await tx.run(
      `INSERT INTO milestone (tenant, mode, name, at)
       SELECT :tenant, :mode, name, at FROM @given(name text, at bigint)
        WHERE TRUE ORDER BY name ON CONFLICT DO NOTHING`,
      { tenant, mode, given: steps },
    );
    return null;
  },
);

export const JOURNAL_SCRIPTS = [...USAGE_SCRIPTS, ADD_AUDIT, ADD_MILESTONES];

// ── reads ──────────────────────────────────────────────────────────────────────────────────────

function makeWorldReads(sql: Sql) {
  return {
    async findPlayers(tenant, world, prefix, limit, after) {
      const rows = await sql.all(
        `SELECT player_id, display_name, created_at FROM player
         WHERE tenant = :tenant AND world = :world AND player_id >= :prefix AND player_id < :end
           AND player_id > :after
         ORDER BY player_id LIMIT :limit`,
        { tenant, world, prefix, end: prefix + LAST_TEXT, after, limit },
      );
      return rows.map((row) => ({
        playerId: String(row['player_id']),
        displayName: textOrNull(row['display_name']),
        createdAt: Number(row['created_at']),
      }));
    },
    async findTicketOrGroup(tenant, mode, id) {
      const column = id.startsWith('grp_') ? 'group_id' : 'id';
      const row = await sql.get(
        `SELECT ${WHOLE_TICKET} FROM ticket
         WHERE tenant = :tenant AND mode = :mode AND ${column} = :id`,
        { tenant, mode, id },
      );
      return row === undefined ? null : toWholeTicket(row);
    },
    async listOpenTickets(tenant, mode, limit) {
      const tickets = await sql.all(
        `SELECT * FROM ticket WHERE tenant = :tenant AND mode = :mode AND ended_at IS NULL
         ORDER BY id DESC LIMIT :limit`,
        { tenant, mode, limit },
      );
      const players = await sql.all(
        `SELECT ticket, player_id, display_name, integrity FROM ticket_player
           JOIN player ON player.ref = ticket_player.player
         WHERE ticket IN :tickets(text) ORDER BY ticket, place`,
        { tickets: tickets.map(({ id }) => String(id)) },
      );
      const byTicket = Map.groupBy(players, ({ ticket }) => ticket);
      return tickets.map((row) => toTicket(row, byTicket.get(row['id']) ?? []));
    },
    async listChecked(tenant, mode, from, limit) {
      const rows = await sql.all(
        `SELECT id, game, created_at, integrity FROM session
         WHERE tenant = :tenant AND mode = :mode AND integrity IS NOT NULL AND id >= :from
         ORDER BY id DESC LIMIT :limit`,
        { tenant, mode, from, limit },
      );
      return rows.map((row) => ({
        session: String(row['id']),
        game: row['game'] as GameId,
        createdAt: Number(row['created_at']),
        integrity: String(row['integrity']),
      }));
    },
  } satisfies Partial<JournalStore>;
}

function makeStepReads(sql: Sql) {
  return {
    async sessionSteps(tenant, mode) {
      const rows = await sql.all(
        `SELECT started_at, ended_at FROM session WHERE tenant = :tenant AND mode = :mode
         ORDER BY id DESC LIMIT ${LOOKED_AT}`,
        { tenant, mode },
      );
      const started = rows.filter((row) => row['started_at'] !== null);
      return {
        made: rows.length > 0,
        started: started.length > 0,
        ended: started.some((row) => row['ended_at'] !== null),
      };
    },
    async listMilestones(tenant, mode) {
      const rows = await sql.all(
        'SELECT name, at FROM milestone WHERE tenant = :tenant AND mode = :mode',
        { tenant, mode },
      );
      return rows.map((row) => ({ name: String(row['name']), at: Number(row['at']) }));
    },
    async listNodes() {
      const rows = await sql.all('SELECT id, alive_at FROM node ORDER BY alive_at DESC LIMIT 50');
      return rows.map((row) => ({ id: String(row['id']), aliveAt: Number(row['alive_at']) }));
    },
  } satisfies Partial<JournalStore>;
}
