/**
 * Sample data: a month that is valid by the rules, appears in every list, and is not written beside
 * real tenants.
 */

import { beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import path from 'node:path';
import { freePort, startServer } from '../../../e2e/parts/server-process.ts';
import { shippedGames } from '../../games/registry.ts';
import { verdictRates } from '../../http/dashboard/endpoints/verdict-rates.ts';
import { makeIds } from '../../runtime/ids.ts';
import { verifyLog } from '../../runtime/sessions/verify-log.ts';
import { systemRandomness } from '../../runtime/system.ts';
import { openMemoryStore } from '../../store/sqlite/memory-store.ts';
import { openSqliteStore } from '../../store/sqlite/sqlite-store.ts';
import { figuresByStep, spanOf, total } from '../../tenant-metrics/spans.ts';
import { testSeals } from '../../testing/test-seals.ts';
import { holdBar } from '../../testing/time-bar.ts';
import { makeMatchd } from '../matchd.test-kit.ts';
import { openSampleData, type SampleDeps } from './sample-data.ts';

setDefaultTimeout(120_000);

/** On a quiet machine. */
const TOOK_MS_MAX = 6_000;
const NOW = Date.parse('2026-11-27T20:30:10.000Z');
const clock = { now: () => NOW, after: () => () => {} };

function makeDeps(): SampleDeps {
  const store = openMemoryStore();
  const makeId = makeIds(clock, systemRandomness);
  return {
    store,
    games: shippedGames,
    seals: testSeals,
    clock,
    makeId,
    node: 'nod_sample',
    randomness: systemRandomness,
  };
}

async function makeTenant({ store }: SampleDeps, id: string, slug: string): Promise<void> {
  const audit = { tenant: id, actor: 'cli', act: 'tenant.created', object: id, at: NOW };
  const rest = { plan: 'pro', active: true, limits: {}, createdAt: NOW } as const;
  await store.createTenant({ id, slug, name: slug, ...rest }, audit);
}

let deps: SampleDeps;
let sample: { readonly id: string; readonly name: string };

beforeAll(async () => {
  deps = makeDeps();
  await makeTenant(deps, 'ten_demo', 'demo');
  const startedAt = performance.now();
  expect(await openSampleData(deps)).toBe('written');
  const tookMs = performance.now() - startedAt;
  console.log(`sample data: ${Math.round(tookMs)} ms`);
  holdBar('sample data, ms', tookMs, TOOK_MS_MAX);
  sample = (await deps.store.listTenants()).find(({ slug }) => slug === 'sample')!;
});

async function sessionsOf(mode: 'live' | 'test') {
  const all = [];
  for (let before: string | null = null; ; ) {
    const filter = { game: null, status: null, playerId: null, createdFrom: null, createdTo: null };
    const part = await deps.store.listSessions({
      tenant: sample.id,
      mode,
      ...filter,
      before,
      limit: 100,
    });
    all.push(...part);
    if (part.length < 100) return all;
    before = part.at(-1)!.id;
  }
}

test('[D15] there are matches of every game over a month, all valid by the rules', async () => {
  const sessions = await sessionsOf('live');
  expect(sessions.length).toBeGreaterThan(200);
  expect(new Set(sessions.map(({ game }) => game))).toEqual(new Set(shippedGames.ids()));
  const days = new Set(
    sessions.map(({ createdAt }) => new Date(createdAt).toISOString().slice(0, 10)),
  );
  expect(days.size).toBeGreaterThan(25);
  expect(sessions.filter(({ status }) => status === 'active').length).toBeGreaterThanOrEqual(4);
  expect(sessions.every(({ createdAt, endedAt }) => createdAt < NOW && (endedAt ?? 0) < NOW)).toBe(
    true,
  );
  for (const game of shippedGames.ids()) {
    const { id } = sessions.find((row) => row.game === game && row.status === 'ended') ?? {
      id: game,
    };
    const stored = (await deps.store.loadSession(id))!;
    const check = await verifyLog({ seals: testSeals, games: shippedGames }, stored);
    expect([game, check]).toMatchObject([game, { ok: true, seal: { state: 'sealed' } }]);
  }
});

test('[D15] the metrics match its sessions and requests, and a webhook fails', async () => {
  const rows = await deps.store.listMetrics(sample.id, 'live', NOW - 31 * 86_400_000);
  const figures = total(rows, spanOf('30d', '1d', NOW));
  const sessions = await sessionsOf('live');
  const within = sessions.filter(({ createdAt }) => createdAt >= spanOf('30d', '1d', NOW).from);
  expect(figures.counts.sessionsCreated).toBe(within.length);
  expect(figures.counts.failed).toBeGreaterThan(5);
  expect(figures.counts.succeeded).toBeGreaterThan(1_000);
  expect(figuresByStep(rows).at(-1)!.figures.gauges.matchesInPlay).toBeGreaterThanOrEqual(4);
  const webhooks = await deps.store.listWebhooks({
    tenant: sample.id,
    mode: 'live',
    before: null,
    limit: 10,
  });
  expect(webhooks.filter(({ failingSince }) => failingSince !== null)).toHaveLength(1);
  // Sample webhooks must not send anything to other machines.
  for (const { url } of webhooks) expect(new URL(url).host).toEndWith('.sample.invalid');
  for (const { id } of webhooks) expect(await deps.store.listAttempts(id, null, 5)).toHaveLength(5);
});

test('[D15][L3] the leaderboard of every game has players', async () => {
  for (const game of shippedGames.ids()) {
    const leaders = await deps.store.listLeaders({
      tenant: sample.id,
      game,
      mode: 'live',
      now: NOW,
      after: null,
      limit: 10,
      gamesMin: 5,
      deviationMax: 250,
    });
    expect([game, leaders.length > (game === 'connect4' ? 5 : 0)]).toEqual([game, true]);
  }
});

test('[D15][L4] ratings move over the month, from match to match', async () => {
  const world = { tenant: sample.id, game: 'connect4' } as const;
  const [best] = await deps.store.listLeaders({
    ...world,
    mode: 'live',
    now: NOW,
    after: null,
    limit: 1,
    gamesMin: 5,
    deviationMax: 250,
  });
  const { matches } = (await deps.store.listRatedMatches({
    ...world,
    world: 'live',
    playerId: best!.playerId,
    before: null,
    limit: 100,
  }))!;
  expect(matches.length).toBe(best!.standing.games);
  expect(matches[0]!.after).toBe(Math.round(best!.rating * 10) / 10);
  expect(matches.at(-1)!.before).toBe(1500);
  for (const [i, { before }] of matches.slice(0, -1).entries()) {
    expect(before).toBe(matches[i + 1]!.after);
  }
  expect(matches[0]!.at - matches.at(-1)!.at).toBeGreaterThan(5 * 86_400_000);
});

test('[D15] bots have played matches that count for them', async () => {
  const filter = { game: null, active: null, before: null, limit: 100 };
  const bots = await deps.store.listBots({ tenant: sample.id, mode: 'live', ...filter });
  expect(bots.map(({ kind }) => kind).toSorted()).toEqual([
    'builtin',
    'builtin',
    'builtin',
    'external',
  ]);
  const scores = await deps.store.listBotScores(bots.map(({ id }) => id));
  const played = scores.filter(({ mode }) => mode === 'live');
  expect(played.map(({ bot }) => bot).toSorted()).toEqual(bots.map(({ id }) => id).toSorted());
  for (const { matches, wins, losses, draws } of played) {
    expect(matches).toBeGreaterThan(2);
    expect(wins + losses + draws).toBe(matches);
  }
});

test('[D15] most device checks pass on both platforms, and some do not for several reasons', async () => {
  expect(await deps.store.listCredentials(sample.id, 'live')).toHaveLength(2);
  const rows = await deps.store.listChecked(sample.id, 'live', '', 1_000);
  const { days, reasons } = verdictRates(rows, false);
  const passed = days.reduce((sum, day) => sum + day.passed, 0);
  const failed = days.reduce((sum, day) => sum + day.failed, 0);
  expect(new Set(days.map(({ platform }) => platform)).size).toBe(2);
  expect(passed).toBeGreaterThan(5 * failed);
  expect(failed).toBeGreaterThan(3);
  expect(reasons.length).toBeGreaterThan(4);
  // The last day is not empty: a page shows its verdicts.
  expect(rows.some(({ createdAt }) => createdAt > NOW - 86_400_000)).toBe(true);
});

test('[D15] tickets form and groups wait in both modes', async () => {
  for (const mode of ['live', 'test'] as const) {
    const found = await Promise.all(
      shippedGames.ids().map((game) =>
        deps.store.listTickets({
          tenant: sample.id,
          mode,
          game,
          status: null,
          playerId: null,
          before: null,
          limit: 100,
        }),
      ),
    );
    const statuses = found.flat().map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([
      'forming',
      'forming',
      'forming',
      'promoted',
      'promoted',
      'promoted',
    ]);
    for (const { createdAt } of found.flat()) expect(NOW - createdAt).toBeLessThan(1_800_000);
  }
});

test('[D15] it is marked as sample data, and a second start adds nothing', async () => {
  expect(sample.name).toBe('Sample data');
  const before = (await sessionsOf('live')).length;
  expect(await openSampleData(deps)).toBe('there already');
  expect((await sessionsOf('live')).length).toBe(before);
});

test('[D15] it is refused if there are real tenants, or if an earlier run was not finished', async () => {
  const real = makeDeps();
  await makeTenant(real, 'ten_acme', 'acme');
  await expect(openSampleData(real)).rejects.toThrow('other tenants (acme)');
  expect(await real.store.listTenants()).toHaveLength(1);
  const half = makeDeps();
  await makeTenant(half, 'ten_half', 'sample');
  await expect(openSampleData(half)).rejects.toThrow('not written completely');
});

test('[D15] the command adds them, prints where they are, and changes nothing when it refuses', async () => {
  const matchd = makeMatchd();
  try {
    const data = path.join(matchd.folder, 'sample');
    const server = await startServer({
      port: await freePort(),
      dataDir: data,
      flags: ['--sample-data'],
    });
    await server.stop();
    const store = await openSqliteStore(path.join(data, 'matchd.db'));
    const { id } = (await store.listTenants()).find(({ slug }) => slug === 'sample')!;
    const rows = await store.listMetrics(id, 'live', 0);
    const counted = figuresByStep(rows).map(({ figures }) => figures.counts.sessionsCreated);
    const filter = { game: null, playerId: null, createdFrom: null, createdTo: null, before: null };
    const made = await store.listSessions({
      tenant: id,
      mode: 'live',
      status: null,
      ...filter,
      limit: 1_000,
    });
    // Past events are not counted again as if they happened now.
    expect(counted.reduce((sum, count) => sum + count, 0)).toBe(made.length);
    await store.close();
    const slugs = async (folder: string) => {
      const { stdout } = await matchd.run('tenants', 'list', '--data', folder, '--json');
      return (
        stdout
          .match(/"slug": ?"[a-z]+"/g)
          ?.toSorted()
          .join() ?? ''
      );
    };
    expect(await slugs(data)).toMatch(/demo.*sample/);
    const real = path.join(matchd.folder, 'real');
    expect((await matchd.run('tenants', 'create', '--name', 'Acme', '--data', real)).exit).toBe(0);
    const before = await slugs(real);
    const port = String(await freePort());
    const refused = await matchd.run('dev', '--port', port, '--data', real, '--sample-data');
    expect(refused.exit).not.toBe(0);
    expect(refused.stderr).toContain('other tenants (acme)');
    expect(await slugs(real)).toBe(before);
  } finally {
    matchd.close();
  }
});
