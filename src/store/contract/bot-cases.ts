/** Registered bots: caps, names, what is part of the same commit. */

import { expect } from 'bun:test';
import type { LogRecord } from '../../match/record.ts';
import type { BotRow, BotWrite } from '../bots.ts';
import type { Store } from '../whole-store.ts';
import { WORLDS } from '../world.ts';
import { type AreaCase, times } from './area.ts';
import { answerOf, append, created, entryOf, seatOf, T0, TENANT } from './stage.ts';

function botOf(n: number, fields: Partial<BotRow> = {}): BotRow {
  const id = `bot_${String(n).padStart(4, '0')}`;
  return {
    id,
    tenant: TENANT,
    mode: 'live',
    game: 'connect4',
    name: 'Rosa',
    displayName: 'Rosa',
    playerId: `bot:${id}`,
    kind: 'builtin',
    difficulty: 'hard',
    weight: 3,
    active: true,
    createdAt: 1_000,
    deletedAt: null,
    ...fields,
  };
}

function write(tenant: string, act: string, object: string): BotWrite {
  return { audit: { tenant, actor: 'key:k', act, object, at: 5 }, idempotency: null };
}

function add(store: Store, bot: BotRow, max = 100): Promise<string> {
  return store.createBot(bot, max, write(bot.tenant, 'bot.created', bot.id));
}

async function actsOf(store: Store): Promise<string[]> {
  const rows = await store.readAudit(TENANT, 0, 100);
  return rows.map(({ act, actor }) => `${act} ${actor}`);
}

export const botCases: readonly AreaCase[] = [
  {
    title: '[B1] a bot is read as it was written',
    async run({ store }) {
      const bot = botOf(1, { kind: 'external', difficulty: null, active: false });
      expect(await add(store, bot)).toBe('created');
      expect(await store.findBot(TENANT, bot.id)).toEqual(bot);
      expect(await store.findBot('ten_b', bot.id)).toBeNull();
    },
  },
  {
    title: '[B1] the cap holds under parallel creates, and deleted bots leave room',
    async run({ store, another }) {
      const stores = [store, await another()];
      const bots = Array.from({ length: 10 }, (_, n) => botOf(n));
      const outcomes = await Promise.all(bots.map((bot, i) => add(stores[i % 2]!, bot, 4)));
      expect(outcomes.filter((outcome) => outcome === 'created')).toHaveLength(4);
      expect(outcomes.filter((outcome) => outcome === 'too_many')).toHaveLength(6);
      const first = bots[outcomes.indexOf('created')]!;
      await store.removeBot(TENANT, first.id, 9, write(TENANT, 'bot.deleted', first.id));
      expect(await add(store, botOf(10), 4)).toBe('created');
    },
  },
  {
    title: '[B1] bots of many tenants are created at once, without needless waits',
    async run({ store, another }) {
      const stores = [store, await another()];
      const outcomes = await times(240, (n) =>
        add(stores[n % 2]!, botOf(n, { tenant: `ten_${(n * n) % 41}` })),
      );
      expect(new Set(outcomes)).toEqual(new Set(['created']));
    },
  },
  {
    title: '[B1] a player id belongs to one bot of a tenant',
    async run({ store, another }) {
      const stores = [store, await another()];
      const outcomes = await times(6, (n) => add(stores[n % 2]!, botOf(n, { playerId: 'x' })));
      expect(outcomes.filter((outcome) => outcome === 'created')).toHaveLength(1);
      expect(outcomes.filter((outcome) => outcome === 'player_taken')).toHaveLength(5);
      expect(await add(store, botOf(9, { tenant: 'ten_b', playerId: 'x' }))).toBe('created');
      const [held] = await store.listBots(filterOf());
      await store.removeBot(TENANT, held!.id, 9, write(TENANT, 'bot.deleted', held!.id));
      expect(await add(store, botOf(8, { playerId: 'x' }))).toBe('created');
    },
  },
  {
    title: '[B1][K3] every write is audited with its key, and a write without a change is not',
    async run({ store }) {
      const bot = botOf(1);
      await add(store, bot);
      const update = (id: string) =>
        store.updateBot(TENANT, id, { weight: 9, active: false }, write(TENANT, 'bot.updated', id));
      expect(await update(bot.id)).toBe(true);
      expect(await update('bot_unknown')).toBe(false);
      expect(await store.findBot(TENANT, bot.id)).toEqual({ ...bot, weight: 9, active: false });
      const remove = () => store.removeBot(TENANT, bot.id, 9, write(TENANT, 'bot.deleted', bot.id));
      expect([await remove(), await remove(), await update(bot.id)]).toEqual([true, false, false]);
      const acts = ['bot.created key:k', 'bot.updated key:k', 'bot.deleted key:k'];
      expect(await actsOf(store)).toEqual(acts);
    },
  },
  {
    title: '[H8] the response is stored with the effect, and without one it is not',
    async run({ store }) {
      const [bot, answer] = [botOf(1), answerOf('k')];
      const kept = { ...write(TENANT, 'bot.created', bot.id), idempotency: answer };
      expect(await store.createBot(bot, 0, kept)).toBe('too_many');
      expect(await store.findIdempotent(answer, T0)).toBeNull();
      expect(await store.createBot(bot, 1, kept)).toBe('created');
      expect((await store.findIdempotent(answer, T0))?.body).toBe(answer.body);
    },
  },
  {
    title: '[B1] a deleted bot is not listed, but is still found by its id',
    async run({ store }) {
      const [gone, kept] = [botOf(1), botOf(2, { game: 'tictactoe' })];
      await add(store, gone);
      await add(store, kept);
      await store.removeBot(TENANT, gone.id, 9, write(TENANT, 'bot.deleted', gone.id));
      expect(await store.listBots(filterOf())).toEqual([kept]);
      expect((await store.findBot(TENANT, gone.id))?.deletedAt).toBe(9);
      expect(await store.listBots(filterOf({ game: 'connect4' }))).toEqual([]);
    },
  },
  {
    title: '[B1] bots are listed newest first, by game, by whether they are active, in pages',
    async run({ store }) {
      const bots = [
        botOf(1),
        botOf(2, { active: false }),
        botOf(3, { game: 'tictactoe' }),
        botOf(4, { tenant: 'ten_b' }),
      ];
      for (const bot of bots) await add(store, bot);
      const ids = async (filter: Parameters<typeof filterOf>[0]) =>
        (await store.listBots(filterOf(filter))).map(({ id }) => id);
      expect(await ids({})).toEqual(['bot_0003', 'bot_0002', 'bot_0001']);
      expect(await ids({ game: 'connect4' })).toEqual(['bot_0002', 'bot_0001']);
      expect(await ids({ active: true })).toEqual(['bot_0003', 'bot_0001']);
      expect(await ids({ active: false })).toEqual(['bot_0002']);
      expect(await ids({ before: 'bot_0003', limit: 1 })).toEqual(['bot_0002']);
    },
  },
  {
    title:
      '[B1][K3] each mode has its own bots and its own cap, and live bots have priority for an id',
    async run({ store }) {
      const [live, own] = [botOf(1), botOf(2, { mode: 'test' })];
      expect([await add(store, live, 1), await add(store, own, 1)]).toEqual(['created', 'created']);
      expect(await add(store, botOf(3, { mode: 'test' }), 1)).toBe('too_many');
      expect(await add(store, botOf(4), 1)).toBe('too_many');
      expect(await store.listBots(filterOf())).toEqual([live]);
      expect(await store.listBots(filterOf({ mode: 'test' }))).toEqual([own]);
      const taken = botOf(5, { mode: 'test', playerId: live.playerId });
      expect(await add(store, taken)).toBe('player_taken');
      expect(await add(store, botOf(6, { playerId: own.playerId }))).toBe('created');
      await store.removeBot(TENANT, live.id, 9, write(TENANT, 'bot.deleted', live.id));
      expect(await add(store, taken)).toBe('created');
    },
  },
  {
    title:
      '[B2][K3] live sessions seat live bots, test sessions those whose program is unambiguous',
    async run({ store }) {
      const bots = [
        botOf(1),
        botOf(2, { active: false }),
        botOf(3, { mode: 'test', playerId: 'rosa' }),
        botOf(4, { playerId: 'rosa' }),
        botOf(5, { game: 'tictactoe' }),
        botOf(6, { tenant: 'ten_b' }),
      ];
      for (const bot of bots) expect(await add(store, bot)).toBe('created');
      const ids = async (mode: 'live' | 'test', id: string | null = null) => {
        const filter = { tenant: TENANT, mode, game: 'connect4', id } as const;
        return (await store.listSeatableBots(filter)).map((bot) => bot.id);
      };
      expect(await ids('live')).toEqual(['bot_0004', 'bot_0001']);
      expect(await ids('test')).toEqual(['bot_0003', 'bot_0001']);
      expect([await ids('live', 'bot_0002'), await ids('test', 'bot_0002')]).toEqual(
        Array(2).fill(['bot_0002']),
      );
      expect([await ids('live', 'bot_0003'), await ids('test', 'bot_0004')]).toEqual([[], []]);
      await store.removeBot(TENANT, 'bot_0003', 9, write(TENANT, 'bot.deleted', 'bot_0003'));
      expect(await ids('test')).toEqual(['bot_0001']);
      await store.removeBot(TENANT, 'bot_0001', 9, write(TENANT, 'bot.deleted', 'bot_0001'));
      expect([await ids('test'), await ids('test', 'bot_0001')]).toEqual([[], []]);
    },
  },
  {
    title: '[B1a] matches that end at once count for every bot in them',
    async run({ store, another }) {
      const other = await another();
      const [rosa, otto] = [botOf(1, { playerId: 'rosa' }), botOf(2, { playerId: 'otto' })];
      const stranger = botOf(3, { playerId: 'zoe', tenant: 'ten_b' });
      for (const bot of [rosa, otto, stranger]) await add(store, bot);
      const levels = ['hard', 'easy'] as const;
      const bots = levels.map((level, seat) => ({ seat, level }));
      const sessions = await times(8, (n) =>
        created(store, n, {
          seats: ['rosa', n === 7 ? 'nobody' : 'otto'].map((id, seat) => ({
            ...seatOf(seat, id),
            isBot: true,
          })),
        }),
      );
      const end = (id: string, n: number) => {
        const winners = n % 4 === 0 ? [] : [n % 4 === 1 ? 0 : 1];
        const reason = n === 6 ? 'aborted' : 'rules';
        const outcome = { winners, places: [1, 2], reason, detail: {} };
        const entry = entryOf(1, { k: 'ended', outcome } as Partial<LogRecord>);
        const change = { status: 'ended', endedAt: T0 + 1, bots } as const;
        return append(n % 2 === 0 ? store : other, id, [entry], change);
      };
      const outcomes = await Promise.all(sessions.map(end));
      expect(outcomes).toEqual(Array(8).fill('committed'));
      // 0, 4: drawn; 1, 5: the first won; 2, 3, 7: the second; 6 was aborted.
      expect(await store.listBotScores([rosa.id, otto.id, stranger.id])).toEqual([
        { bot: rosa.id, mode: 'live', level: 'hard', matches: 7, wins: 2, losses: 3, draws: 2 },
        { bot: otto.id, mode: 'live', level: 'easy', matches: 6, wins: 2, losses: 2, draws: 2 },
      ]);
      expect(await store.listBotScores([])).toEqual([]);
    },
  },
  {
    title:
      '[B1][R2] an id belongs to a bot while it is registered or plays, if nobody else sat under it',
    async run({ store }) {
      const sit = (n: number, playerId: string, isBot: boolean) =>
        created(store, n, { seats: [{ ...seatOf(0, playerId), isBot }] });
      const end = (id: string) =>
        append(store, id, [entryOf(1)], { status: 'ended', endedAt: T0 + 1 });
      const isBot = (playerId: string) => store.isOnlyBot(TENANT, WORLDS, playerId);
      const bot = botOf(1, { playerId: 'rosa' });
      await add(store, bot);
      // There is no player of that id.
      expect([await isBot('rosa'), await isBot('nobody')]).toEqual([false, false]);
      const session = await sit(1, 'rosa', true);
      expect([await isBot('rosa'), await store.isOnlyBot('ten_b', WORLDS, 'rosa')]).toEqual([
        true,
        false,
      ]);
      await store.removeBot(TENANT, bot.id, 9, write(TENANT, 'bot.deleted', bot.id));
      expect(await isBot('rosa')).toBe(true);
      await end(session);
      expect(await isBot('rosa')).toBe(false);
      await add(store, { ...bot, id: 'bot_0002' });
      expect(await isBot('rosa')).toBe(true);
      await end(await sit(2, 'rosa', false));
      expect(await isBot('rosa')).toBe(false);
      // A name that the tenant gave to a player who has no seat yet.
      await store.namePlayer(
        { ...seatOf(0, 'zoe'), tenant: TENANT, world: 'live', displayName: 'Zoe' },
        null,
      );
      await add(store, botOf(3, { playerId: 'zoe' }));
      expect(await isBot('zoe')).toBe(false);
      // Nor does a bot of the other mode with the same id.
      await created(store, 4, { mode: 'test', seats: [{ ...seatOf(0, 'zoe'), isBot: true }] });
      expect(await isBot('zoe')).toBe(false);
      expect(await store.isOnlyBot(TENANT, ['test'], 'zoe')).toBe(true);
    },
  },
];

function filterOf(filter: Partial<Parameters<Store['listBots']>[0]> = {}) {
  return {
    tenant: TENANT,
    mode: 'live' as const,
    game: null,
    active: null,
    before: null,
    limit: 10,
    ...filter,
  };
}
