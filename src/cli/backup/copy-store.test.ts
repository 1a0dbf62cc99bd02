/** Copying one machine's data into PostgreSQL, with the real command: completely, once, or not at all. */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { followChain, NOTHING_FOLLOWED } from '../../accounts/audit-chain.ts';
import type { Proven } from '../../store/accounts.ts';
import {
  answerOf,
  append,
  auditOf,
  created,
  entryOf,
  keyOf,
  seatOf,
  sessionId,
  sessionOf,
  T0,
  TENANT,
  tenantOf,
} from '../../store/contract/stage.ts';
import { openPostgresStore, type PostgresStore } from '../../store/postgres/postgres-store.ts';
import { ONE_SCHEMA } from '../../store/schema/migrations.ts';
import { POSTGRES_HISTORY } from '../../store/schema/postgres-history.ts';
import { TABLES } from '../../store/schema/tables.ts';
import { openSqliteStore } from '../../store/sqlite/sqlite-store.ts';
import type { Store } from '../../store/whole-store.ts';
import { isPostgresHere, sharedPostgres } from '../../testing/servers/postgres.ts';
import { type EmptyingDatabase, openEmptying } from '../../testing/servers/postgres-place.ts';
import { type Matchd, makeMatchd } from '../matchd.test-kit.ts';

const LIVE = { tenant: TENANT, mode: 'live' } as const;
const WORLD = { ...LIVE, game: 'tictactoe' } as const;
const TOKEN = { digest: 'token', claim: 'whose', now: T0, heldSince: T0 };
const ODD_TEXT = 'ü "quoted" {a,b} \\ NULL \n\t 😀';

interface Copied {
  readonly rows: number;
  readonly tables: readonly { table: string; rows: number; sha256: string }[];
}

/** A row in every table. */
async function fill(store: Store): Promise<void> {
  const write = (act: string) => ({ audit: auditOf(act, ODD_TEXT), idempotency: null });
  await store.createTenant(tenantOf(TENANT, { limits: { sockets: 7 } }), auditOf('tenant.created'));
  await store.createKey(keyOf('key_1'), { id: 'secret01', hash: 'ab' }, auditOf('key.created'));
  await store.signingSecret(() => ({ kid: 'kid_1', secret: Uint8Array.of(0, 127, 255) }));
  await store.heartbeat('nod_old', T0);
  const seats = [seatOf(0, 'ann', ODD_TEXT), { ...seatOf(1, 'rob'), isBot: true }];
  await created(store, 1, { seats, metadata: '{"a":"b"}', wakeAt: null });
  await append(store, sessionId(1), [entryOf(1), entryOf(2)], { status: 'active', startedAt: T0 });
  await created(store, 2, { quota: { month: '2026-11' } });
  await append(store, sessionId(2), [entryOf(1)], { status: 'ended', endedAt: T0 + 9 });
  await created(store, 3, { wakeAt: T0 + 77 });
  await fillPlay(store);
  const ios = { tenant: TENANT, mode: 'test', platform: 'ios' } as const;
  const credential = { bundleId: 'b', teamId: 't' };
  await store.putSettings(TENANT, 'test', { rematch: 'create' }, auditOf('settings.updated'));
  await store.putCredential({ ...ios, credential, updatedAt: T0 }, auditOf('integrity.put'), null);
  await store.addChallenge({ ...ios, digest: 'd', expiresAt: T0 }, null);
  await store.noteToken(TOKEN);
  await store.holdFinding(TOKEN, 'finding');
  const id = { tenant: TENANT, mode: 'test', appId: 'app', keyId: 'k' } as const;
  const key = { ...id, publicKey: 'p', environment: 'e' };
  await store.addAttestedKey({ ...key, attestedAt: T0 });
  await store.raiseCounter(key, 4_294_967_295);
  await fillWebhook(store, write('webhook.created'));
  await fillHouse(store);
}

async function fillPlay(store: Store): Promise<void> {
  await store.setPresence({ ...LIVE, playerId: 'ann', node: 'nod_old', isConnected: true });
  for (const n of [1, 2, 3]) {
    const at = { at: T0 + n, idempotency: null };
    const ticket = { ...WORLD, ticket: `tkt_${n}`, capacity: 2, openTicketsMax: 9 };
    await store.createTicket({ ...ticket, ...at, eventId: `evt_t${n}` });
    if (n === 1) {
      const player = { playerId: 'ann', newRef: 'ply_t' };
      const check = '{"status":"passed"}';
      const naming = {
        tenant: TENANT,
        world: 'live' as const,
        ...player,
        displayName: null,
        at: T0,
        check,
      };
      await store.namePlayer(naming, null);
      await store.addToTicket({ ...WORLD, ticket: 'tkt_1', ...player, ...at, eventId: 'evt_a' });
    }
    const group = { ...WORLD, ticket: `tkt_${n}`, group: `grp_${n}`, ...at, eventId: `evt_p${n}` };
    if (n < 3) await store.promoteTicket(group);
  }
  const waiting = { pairing: 'x' };

  await store.createSession({ ...sessionOf(4, { seats: [seatOf(0, 'wim')] }), waiting });
  const outcome = { winners: [0], places: [1, 2], reason: 'x', detail: {} };
  await created(store, 6, { seats: [seatOf(0, 'kai'), seatOf(1, 'lou')] });
  await append(store, sessionId(6), [entryOf(1, { k: 'left', seat: 1, id: null })], {
    left: [{ seat: 1, v: 1 }],
  });
  await created(store, 5, {
    seats: [seatOf(0, 'eva'), seatOf(1, 'max')],
    matchType: 'matchmaking',
  });
  await append(store, sessionId(5), [entryOf(1, { k: 'ended', outcome })], {
    status: 'ended',
    endedAt: T0,
  });
  const bot = { game: 'connect4', name: 'Rob', displayName: 'Rob', kind: 'builtin' } as const;
  const rest = {
    difficulty: 'hard',
    weight: 3,
    active: false,
    createdAt: T0,
    deletedAt: null,
  } as const;
  const of = { tenant: TENANT, mode: 'test' } as const;
  const row = { id: 'bot_1', ...of, playerId: 'bot:1', ...bot, ...rest };

  await store.createBot(row, 9, { audit: auditOf('bot.created'), idempotency: answerOf('k') });
  const bots = [{ seat: 0, level: 'hard' }] as const;
  const seats = [{ ...seatOf(0, row.playerId), isBot: true }, seatOf(1, 'mia')];
  await created(store, 16, { mode: 'test', seats });
  const last = [entryOf(1, { k: 'ended', outcome })];
  await append(store, sessionId(16), last, { status: 'ended', endedAt: T0, bots }, 'test');
}

async function fillWebhook(
  store: Store,
  write: Parameters<Store['removeWebhook']>[2],
): Promise<void> {
  const fields = { url: 'https://a.example/', description: '', types: [], createdAt: T0 };
  const secrets = [{ text: 'whsec_a', expiresAt: null }];
  const webhook = { id: 'whk_1', ...LIVE, ...fields, secrets };
  await store.createWebhook({ webhook, webhooksMax: 9, ...write });
  const event = { id: 'evt_1', ...LIVE, type: 'move.made', session: null, at: T0 } as const;
  await store.triggerEvent({ ...event, data: JSON.stringify({ text: ODD_TEXT }) }, write);
  const attempt = { event: 'evt_1', type: 'move.made', session: null, attempt: 1, at: T0 };
  const answer = { durationMs: 5, status: null, error: 'timeout', nextAt: T0 + 9 };
  const head = await store.eventHead(LIVE);
  const times = { nextAt: T0 + 9, notBefore: T0 + 8 };
  const outstanding = { standsFor: 'rest', attempt: 1, ...times } as const;
  await store.recordProgress({
    webhook: 'whk_1',
    epoch: 0,
    cursor: head,
    changed: [{ seq: head, id: 'evt_1', session: null, ...outstanding }],
    settled: [],
    attempts: [{ ...attempt, ...answer }],
    failingSince: T0,
    disable: null,
  });
}

async function addPasskey(store: Store, account: string, proven: Proven): Promise<void> {
  const passkey = {
    id: 'psk_1',
    account,
    credential: 'cred',
    name: 'My key',
    publicKey: 'cose',
    counter: 7,
    createdAt: T0,
    lastUsedAt: null,
  };
  expect(await store.addPasskey(passkey, proven, [], [])).toBe('added');
}

async function fillHouse(store: Store): Promise<void> {
  const account = {
    id: 'acc_1',
    email: 'ann@example.test',
    name: 'Ann',
    passwordHash: 'phc',
    isOperator: true,
    totpSecret: null,
    totpStep: 0,
    passkeyRevision: 0,
    createdAt: T0,
  };
  const link = { createdAt: T0, expiresAt: T0 + 1_000 };
  const setup = { id: 'lnk_1', kind: 'setup', tenant: null, role: null, email: null } as const;
  await store.putLink({ ...setup, ...link }, 'h1', null);
  await store.useSetupLink('h1', account, auditOf('account.made'));
  const invitation = { kind: 'invitation', tenant: TENANT, role: 'owner' } as const;
  // The account's own session is used, and others are ended.
  for (const [id, hash, email] of [
    ['lnk_2', 'h2', account.email],
    ['lnk_3', 'h3', `other.${account.email}`],
  ] as const) {
    await store.putLink({ id, ...invitation, email, ...link }, hash, null);
  }
  await store.useInvitation('h2', { id: account.id }, auditOf('member.joined'));
  await store.setTotp(account.id, account, { secret: 'sealed', step: 3 }, ['r1', 'r2'], []);
  const proven = { passwordHash: 'phc', totpSecret: 'sealed', passkeyRevision: 0 };
  await addPasskey(store, account.id, proven);
  const session = {
    id: 'log_1',
    account: account.id,
    seenAt: T0,
    address: '::1',
    agent: ODD_TEXT,
    passkey: 'My key',
    ...link,
  };
  const signed = { passkey: 'psk_1', counter: 8, challengeHash: 'ch', expiresAt: T0 + 9 };
  await store.beginLogin(
    { session, tokenHash: 'th', proven: { ...proven, passkeyRevision: 1 }, signed },
    null,
    [],
  );
  const request = { id: 'req_1', ...LIVE, at: T0, method: 'POST', route: 'createSession' };
  const how = { status: 201, code: null, tookMs: 3, keyId: 'key_1', session: null };
  await store.logRequests([{ ...request, ...how }]);
  await store.samplePeaks({
    node: 'nod_1',
    at: T0,
    day: '2026-11-14',
    staleBefore: T0 - 1,
    sockets: [{ tenant: TENANT, mode: 'live', count: 2 }],
  });
  await store.addMinutes([{ ...LIVE, node: 'nod_1', at: T0, figures: '{}' }]);
  await store.addMilestones(TENANT, 'live', [{ name: 'made', at: T0 }]);
  const use = { requests: 3, refused: 1, networks: ['mark'] };
  await store.noteKeyUses([{ tenant: TENANT, key: 'key_1', ...use }], T0, 50);
  const alert = { id: 'evt_k', ...LIVE, at: T0 };
  await store.raiseKeyAlert(
    { ...alert, key: 'key_1', kind: 'refusals', day: '2026-11-14', details: '{}' },
    { ...alert, type: 'key.alert', session: null, data: '{}' },
  );
}

describe.skipIf(!isPostgresHere())('a copy', () => {
  let matchd: Matchd;
  let file = '';
  let to = '';
  let database: EmptyingDatabase;
  let before: Store;

  beforeAll(async () => {
    matchd = makeMatchd();
    file = join(matchd.folder, 'matchd.db');
    before = await openSqliteStore(file);
    await fill(before);
    await before.close();
    to = await (await sharedPostgres()).createDatabase();
  }, 60_000);
  afterAll(async () => {
    await database?.close();
    matchd.close();
  });
  const migrate = (...args: string[]) =>
    matchd.run('migrate', '--from', `sqlite://${file}`, ...args);

  test('[CLI-M2] obstacles are reported, and nothing is copied', async () => {
    expect((await matchd.run('migrate', '--from', file, '--to', to)).exit).toBe(2);
    expect((await migrate('--to', 'sqlite://x')).exit).toBe(2);
    expect((await migrate()).exit).toBe(2);
    expect((await matchd.run('migrate', '--to', to)).exit).toBe(2);
    // The driver would use the database with the user's name.
    for (const nameless of [
      'postgres://u:hunter2@127.0.0.1:1/',
      'postgres://u:hunter2@127.0.0.1:1',
    ]) {
      for (const ended of [
        await migrate('--to', nameless),
        await migrate('--store', nameless),
        await matchd.run('migrate', '--store', nameless),
      ]) {
        expect([ended.exit, ended.stderr]).toEqual([2, expect.stringContaining('/database')]);
        expect(ended.stderr).not.toContain('hunter2');
      }
    }
    const folder = await matchd.run('migrate', '--from', `sqlite://${matchd.folder}`, '--to', to);
    expect([folder.exit, folder.stderr]).toEqual([1, expect.stringContaining('it is a folder')]);
    const none = await matchd.run('migrate', '--from', 'sqlite://none.db', '--to', to);
    expect([none.exit, none.stderr]).toEqual([1, expect.stringContaining('it does not exist')]);
    const away = await migrate('--to', 'postgres://matchd:hunter2@127.0.0.1:1/x');
    expect([away.exit, away.stderr]).toEqual([1, expect.stringContaining('Nothing was copied')]);
    expect(away.stderr).not.toContain('hunter2');
    const other = new DatabaseSync(file);
    other.exec('PRAGMA journal_mode = WAL; SELECT count(*) FROM tenant');
    const busy = await migrate('--to', to);
    other.close();
    expect([busy.exit, busy.stderr]).toEqual([
      1,
      expect.stringContaining('stop the service first'),
    ]);
  }, 60_000);

  test('[CLI-M2] a copy that differs, or fails half way, leaves nothing behind', async () => {
    const target = await (await sharedPostgres()).createDatabase();
    const made = await matchd.run('migrate', '--store', target);
    expect([made.exit, made.stdout]).toEqual([
      0,
      expect.stringContaining(`was migrated: ${ONE_SCHEMA}`),
    ]);
    const dry = await matchd.run('migrate', '--store', target, '--dry-run');
    expect([dry.exit, dry.stdout]).toEqual([0, expect.stringContaining('is up to date')]);
    const shell = await openEmptying(target);
    await shell.rows(`CREATE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN NEW.at := NEW.at + 1; RETURN NEW; END'`);
    await shell.rows(`CREATE TRIGGER spoil BEFORE INSERT ON log FOR EACH ROW
      WHEN (NEW.v = 2) EXECUTE FUNCTION spoil()`);
    const other = await migrate('--to', target);
    const said =
      'log: 13 rows were read, and 13 that are not the same were kept. Nothing was copied.';
    expect([other.exit, other.stderr]).toEqual([1, expect.stringContaining(said)]);
    await shell.rows('DROP TRIGGER spoil ON log');
    // A value that PostgreSQL cannot store.
    const odd = join(matchd.folder, 'odd.db');
    copyFileSync(file, odd);
    const db = new DatabaseSync(odd);
    db.prepare('UPDATE request SET method = ?').run('a\0b');
    db.close();
    const half = await matchd.run('migrate', '--from', `sqlite://${odd}`, '--to', target);
    expect([half.exit, half.stderr]).toEqual([1, expect.stringContaining('request: ')]);
    // Numbers of `revision` are the database's own.
    const left = (await shell.dump()).filter((text) => !/^\d+$/.test(text));
    const { before, steps } = POSTGRES_HISTORY;
    const names = [...before, ...steps].map(({ name }) => name);
    expect(left).toEqual([...names, 'tenancy', 'service', 'sealed']);
    await shell.close();
  }, 60_000);

  test('[CLI-M1] everything is copied unchanged, and a second copy is refused', async () => {
    const answer = await migrate('--to', to, '--json');
    expect([answer.stderr, answer.exit]).toEqual(['', 0]);
    const copied = JSON.parse(answer.stdout) as Copied;
    // A row in each, so that no table is skipped unnoticed.
    expect(copied.tables.filter(({ rows }) => rows === 0)).toEqual([]);
    const expected = TABLES.filter(({ isPassing }) => !isPassing).map(({ name }) => name);
    expect(copied.tables.map(({ table }) => table)).toEqual(expected);
    database = await openEmptying(to);
    // The server has statistics of each table: it plans by the real row counts (-1 before).
    const uncounted = await database.rows<{ relname: string }>(
      `SELECT relname FROM pg_class WHERE relkind = 'r' AND reltuples < 0
        AND relnamespace = current_schema()::regnamespace`,
    );
    const copies = new Set(expected);
    expect(uncounted.filter(({ relname }) => copies.has(relname))).toEqual([]);
    expect(uncounted.length).toBeGreaterThan(0);
    const again = await migrate('--to', to);
    expect([again.exit, again.stderr]).toEqual([1, expect.stringContaining('it is not empty (')]);
  }, 60_000);

  test('[CLI-M1] a store on the copy returns the same as the former one, and continues from there', async () => {
    const now = await openPostgresStore({ url: to, node: 'nod_new' });
    const then = await openSqliteStore(file);
    try {
      for (const ask of QUESTIONS) expect(await ask(now), String(ask)).toEqual(await ask(then));
      const chain = await now.readAudit(TENANT, 0, 99);
      expect(followChain(NOTHING_FOLLOWED, chain)).toEqual({
        ok: true,
        link: { ...(await now.auditHead(TENANT)), keyedFrom: null },
      });
      await goOn(now);
    } finally {
      await now.close();
      await then.close();
    }
  }, 60_000);
});

const QUESTIONS: readonly ((store: Store) => Promise<unknown>)[] = [
  (store) => store.listTenants(),
  (store) => store.findKeyBySecret('secret01'),
  (store) => store.signingSecret(() => ({ kid: 'other', secret: Uint8Array.of(1) })),
  (store) => store.lastHeartbeat(),
  ...[1, 2, 3, 4, 5].map((n) => async (store: Store) => {
    const { row, roster, entries } = (await store.loadSession(sessionId(n)))!;
    return { row, roster, entries };
  }),
  (store) => store.findSessionByRoomCode(TENANT, 'live', 'C00003', T0),
  (store) => store.claimDue(T0 + 99, 9),
  (store) => store.readEvents(LIVE, 0, 99),
  (store) => store.eventHead(LIVE),
  (store) => store.findTicket({ ...WORLD, ticket: 'tkt_1' }),
  (store) => store.listPool(WORLD, 0, 9),
  (store) => store.findWaiting(WORLD, ['wim']),
  async (store) => [...(await store.findStandings(WORLD, ['eva', 'max']))],
  (store) => store.findBot(TENANT, 'bot_1'),
  (store) => store.listCredentials(TENANT, 'test'),
  (store) => store.findWebhook(TENANT, 'whk_1'),
  (store) => store.listOutstanding('whk_1'),
  (store) => store.listAttempts('whk_1', null, 9),
  (store) => store.listMembers(TENANT),
  (store) => store.findAccount('acc_1'),
  (store) => store.countRecoveryCodes('acc_1'),
  (store) => store.findLogin('th'),
  (store) => store.planUse(TENANT, 'live', '2026-11'),
  (store) => store.listUsage(TENANT, 'live', '2026-11-14'),
  (store) => store.listKeyUsage(TENANT, '2026-11-14', '2026-11-14'),
  (store) => store.listPeaks(TENANT, '2026-11-14', '2026-11-14'),
  (store) => store.listMilestones(TENANT, 'live'),
  (store) => store.readAudit(TENANT, 0, 99),
];

async function goOn(store: PostgresStore): Promise<void> {
  // Its former owner is gone: a node takes it over, and no version is written twice.
  expect(await store.claimAwake('', 9)).toContain(sessionId(1));
  expect(await append(store, sessionId(1), [entryOf(2)])).toBe('conflict');
  expect(await append(store, sessionId(1), [entryOf(3)])).toBe('committed');
  const write = { at: T0 + 9, idempotency: null, eventId: 'evt_later' };
  const promoted = await store.promoteTicket({
    ...WORLD,
    ticket: 'tkt_3',
    group: 'grp_3',
    ...write,
  });
  expect(promoted.kind).toBe('promoted');
  const places = (await store.listPool(WORLD, 0, 9)).map(({ poolPlace }) => poolPlace);
  expect(places).toEqual([1, 2, 3]);
  expect(await store.eventHead(LIVE)).toBeGreaterThan(0);
  await store.recordAttempt('whk_1', {
    event: 'e',
    type: 'webhook.test',
    session: null,
    attempt: 1,
    at: T0,
    durationMs: 1,
    status: 200,
    error: null,
    nextAt: null,
  });
  expect((await store.listAttempts('whk_1', null, 9)).map(({ n }) => n)).toEqual([2, 1]);
  expect(await store.noteToken(TOKEN)).toEqual({ kind: 'held', held: 'finding' });
  await store.addAudit(auditOf('later'));
  expect(followChain(NOTHING_FOLLOWED, await store.readAudit(TENANT, 0, 99)).ok).toBe(true);
}
