/** Rows as an earlier matchd wrote them, when a player of both worlds had one row for both (rule K3). */

import { expect } from 'bun:test';
import type { Store } from '../whole-store.ts';
import { WORLDS } from '../world.ts';
import { T0, TENANT } from './stage.ts';

/** What the two databases write in another way. */
export interface Dialect {
  readonly no: string;
  readonly yes: string;
  /** Fields of a session that only this one has, and their values; each with a comma before it. */
  readonly fields: string;
  readonly values: string;
}

interface OldSession {
  readonly id: string;
  readonly mode: 'live' | 'test' | 'training';
  readonly world?: 'live' | 'test';
  readonly status?: 'active' | 'ended';
  readonly players: readonly string[];
}

const SESSIONS: readonly OldSession[] = [
  { id: 'ses_live', mode: 'live', players: ['both', 'live', 'left'] },
  { id: 'ses_test', mode: 'test', players: ['both', 'test', 'gone'] },
  { id: 'ses_gone', mode: 'live', players: ['gone'] },
  { id: 'ses_guest', mode: 'training', world: 'test', status: 'active', players: ['guest'] },
  { id: 'ses_trained', mode: 'training', world: 'live', status: 'active', players: ['trained'] },
];

/** By id: their pseudonyms are `ply_0<id>`. `gone` was erased, `name` is known by a name alone. */
const PLAYERS = ['both', 'live', 'left', 'test', 'guest', 'trained', 'name', 'ticket', 'marked'];

const player = (id: string): string => `('ply_0${id}', '${TENANT}', '${id}', 'Old ${id}', ${T0})`;

const session = (
  { id, mode, world, status = 'ended' }: OldSession,
  { fields, values }: Dialect,
): string => `INSERT INTO session (id, tenant, mode, world, game, match_type, variant, status, room_code,
    created_at${fields}) VALUES ('${id}', '${TENANT}', '${mode}', ${world ? `'${world}'` : 'NULL'},
    'tictactoe', 'private', 'standard', '${status}', 'C${id}', ${T0}${values})`;

const seats = ({ id, players }: OldSession, { no }: Dialect): string =>
  `INSERT INTO seat (session, seat, player, is_bot) VALUES ${players.map(
    (each, seat) => `('${id}', ${seat}, 'ply_0${each}', ${no})`,
  )}`;

const rating = (id: string, mode: string, wins: number): string =>
  `('ply_0${id}', '${mode}', 'tictactoe', '${TENANT}', 1500, 350, 0.06, 9, ${wins}, 0, 0, ${T0})`;

const event = (mode: string, seq: number, ids: readonly string[]): string => {
  const marks = ids.map((id) => `{"$player":"ply_0${id}"}`);
  const data = `{"players":[${marks}],"ticketId":"ply_0both"}`;
  const body = `[{"id":"evt_${mode}${seq}","type":"ticket.promoted","at":${T0},"data":${data}},"ses_test:1"]`;
  return `('${TENANT}', '${mode}', ${seq * 2}, 2, ${T0}, '${body}')`;
};

/** To be run one after the other on a database without the migration. */
export function oldPlayers(dialect: Dialect): readonly string[] {
  const { no, yes } = dialect;
  return [
    `INSERT INTO player (ref, tenant, player_id, display_name, created_at) VALUES ${PLAYERS.map(player)}`,
    `INSERT INTO player (ref, tenant, created_at, erased_at) VALUES ('ply_0gone', '${TENANT}', 1, 2)`,
    ...SESSIONS.flatMap((each) => [session(each, dialect), seats(each, dialect)]),
    `INSERT INTO log (session, v, at, record) VALUES ('ses_test', 0, ${T0}, '{"k":"connected","seat":0}')`,
    `INSERT INTO former_seat (session, left_v, seat, player, is_bot) VALUES
       ('ses_test', 5, 2, 'ply_0left', ${no})`,
    `INSERT INTO rating (player, mode, game, tenant, rating, deviation, volatility, games, wins, losses,
       draws, last_played_at) VALUES ${rating('both', 'live', 1)}, ${rating('both', 'test', 2)}`,
    `INSERT INTO lobby_check (player, mode, verdict, checked_at) VALUES
       ('ply_0both', 'live', '{"n":1}', ${T0}), ('ply_0both', 'test', '{"n":2}', ${T0}),
       ('ply_0ticket', 'live', '{"n":3}', ${T0})`,
    `INSERT INTO ticket (id, tenant, mode, game, capacity, taken, status, created_at) VALUES
       ('tkt_1', '${TENANT}', 'test', 'tictactoe', 2, 1, 'forming', ${T0})`,
    `INSERT INTO ticket_player (ticket, place, player, mode, game, forming, added_at) VALUES
       ('tkt_1', 0, 'ply_0ticket', 'test', 'tictactoe', ${yes}, ${T0})`,
    `INSERT INTO waiting (player, mode, game, tenant, pairing, session, rating, since) VALUES
       ('ply_0both', 'test', 'tictactoe', '${TENANT}', 'p', 'ses_test', 1500, ${T0})`,
    `INSERT INTO event_chunk (tenant, mode, last_seq, n, at, body) VALUES
       ${event('live', 1, ['marked'])}, ${event('test', 1, ['both', 'test'])},
       ${event('test', 2, ['marked', 'both'])}`,
    `INSERT INTO counter (tenant, name, n) VALUES ('${TENANT}', 'open:training', 2)`,
  ];
}

/** What a database with these rows has to hold after the migration. `counters` of the tenant, by name. */
export async function checkOldPlayers(
  store: Store,
  counters: () => Promise<Readonly<Record<string, number>>>,
): Promise<void> {
  const worldsOf = async (id: string): Promise<string> => {
    const found = await Promise.all(WORLDS.map((world) => store.findPlayer(TENANT, world, id)));
    return WORLDS.filter((_, i) => found[i]?.displayName === `Old ${id}`).join();
  };
  const worlds = await Promise.all(PLAYERS.map(async (id) => [id, await worldsOf(id)]));
  expect(Object.fromEntries(worlds)).toEqual({
    ...{ both: 'live,test', live: 'live', left: 'live,test', test: 'test', guest: 'test' },
    ...{ trained: 'live', name: 'live', ticket: 'live,test', marked: 'live,test' },
  });
  const rosterOf = async (id: string) =>
    (await store.loadSession(id))!.roster.map((each) => each?.id ?? null);
  expect(await rosterOf('ses_live')).toEqual(['both', 'live', 'left']);
  expect(await rosterOf('ses_test')).toEqual(['both', 'test', null]);
  expect((await store.listSessionsOf(TENANT, 'both')).map(({ session: id }) => id)).toEqual([
    'ses_live',
    'ses_test',
  ]);
  for (const [world, wins] of [
    ['live', 1],
    ['test', 2],
  ] as const) {
    const { standings } = (await store.findRatedPlayer(TENANT, world, 'both'))!;
    expect(standings.map((each) => each.wins)).toEqual([wins]);
  }
  expect(await store.listLobbyChecks(TENANT, 'both')).toEqual([
    { mode: 'live', verdict: '{"n":1}' },
    { mode: 'test', verdict: '{"n":2}' },
  ]);
  const line = { tenant: TENANT, mode: 'test', game: 'tictactoe' } as const;
  expect(await store.findWaiting(line, ['both'])).toEqual([
    { playerId: 'both', session: 'ses_test' },
  ]);
  expect((await store.findTicket({ ...line, ticket: 'tkt_1' }))!.players[0]!.id).toBe('ticket');
  expect(await counters()).toMatchObject({ 'open:training': 1, 'open:training:test': 1 });
  // The test world forgets a player, and the live one knows nothing of it.
  for (const id of ['both', 'marked', 'left', 'ticket']) {
    expect(await store.erasePlayer(TENANT, ['test'], id, T0)).toBe(true);
  }
  expect(await rosterOf('ses_test')).toEqual([null, 'test', null]);
  expect(await rosterOf('ses_live')).toEqual(['both', 'live', 'left']);
  expect(await namedIn(store, 'test')).toEqual([
    [null, 'test'],
    [null, null],
  ]);
  expect(await namedIn(store, 'live')).toEqual([['marked']]);
  expect((await store.findEventSubjects(['ses_test'])).get('ses_test')!.former).toMatchObject([
    { leftV: 5, playerId: null },
  ]);
}

/** Whom the events of a world name, event by event; null for nobody any more. */
async function namedIn(store: Store, mode: 'live' | 'test'): Promise<(string | null)[][]> {
  const events = await store.readEvents({ tenant: TENANT, mode }, 0, 9);
  const named: (string | null)[][] = [];
  for (const { data } of events) {
    const { players, ticketId } = JSON.parse(data) as {
      players?: { $player: string }[];
      ticketId?: string;
    };
    if (players === undefined) continue;
    // Only what marks a player is another one.
    expect(ticketId).toBe('ply_0both');
    const ids = await store.findPlayerIds(players.map(({ $player }) => $player));
    named.push(players.map(({ $player }) => ids.get($player) ?? null));
  }
  return named;
}
