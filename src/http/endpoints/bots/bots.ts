/** Bots: registered, seated, and played by the tenant's programs (section 4). */

import { isProblem, makeProblem, type Problem, retryAfter } from '../../../contract/errors.ts';
import { readFields } from '../../../contract/fields.ts';
import {
  botActionRequest,
  botChange,
  botQuery,
  botRequest,
  botSeatRequest,
  botStreamQuery,
  botTokenQuery,
} from '../../../contract/requests/bots-requests.ts';
import { makeTime } from '../../../match/frames/frames.ts';
import { BOT_TOKEN_LIFE_S } from '../../../runtime/access/tokens.ts';
import type { ActOutcome } from '../../../runtime/bots/bot-service.ts';
import type { BotStream } from '../../../runtime/bots/bot-streams.ts';
import { isId } from '../../../runtime/ids.ts';
import type { BotChange, BotRow } from '../../../store/bots.ts';
import type { KeyMode } from '../../../tenancy/tenant.ts';
import { actorOf } from '../../request/actor.ts';
import type { HttpDeps } from '../../request/deps.ts';
import type { Action, Caller, Endpoint, Endpoints, Keep, Reply } from '../../request/exchange.ts';
import { makeReply, makeStreamReply } from '../../request/exchange.ts';
import { makeCursor, parseCursor } from '../../request/id-cursor.ts';
import { makeSocketUrl } from '../../request/mint.ts';
import { readGameQuery, readQuery } from '../../request/query.ts';
import { readGameFields } from '../../request/read-game.ts';
import { mayRead, requestedWorld } from '../../request/requested-world.ts';
import { presentSession } from '../../request/session-answer.ts';
import { makeTextStream } from '../../request/text-stream.ts';
import { PAGE_DEFAULT } from '../session-page.ts';
import { sessionRef } from '../sessions.ts';
import { botProblem, rejectProblem } from './bot-refusals.ts';

/** Streams end by themselves, so a tenant at its limit soon has room again. */
const STREAMS_RETRY_MS = 10_000;

type BotEndpoints = Pick<
  Endpoints,
  | 'createBot'
  | 'listBots'
  | 'getBot'
  | 'updateBot'
  | 'deleteBot'
  | 'makeBotToken'
  | 'streamBot'
  | 'injectBot'
  | 'actAsBot'
>;

export function makeBotEndpoints(deps: HttpDeps): BotEndpoints {
  return {
    createBot: createEndpoint(deps),
    listBots: listEndpoint(deps),
    getBot: ({ params }, caller) =>
      always(() =>
        onBot(deps, caller, params['botId']!, async (bot) => {
          const [shown] = await presentScored(deps, caller, [bot]);
          return makeReply(200, shown!);
        }),
      ),
    updateBot: updateEndpoint(deps),
    deleteBot: ({ params }, caller) =>
      always((keep) =>
        onOwnBot(deps, caller, params['botId']!, async (bot) => {
          const reply = makeReply(200, { id: bot.id, deleted: true });
          const kept = keep === null ? null : () => keep(reply);
          const removed = await deps.bots.remove(bot, actorOf(caller), kept);
          return removed.ok ? { ...reply, isStored: keep !== null } : botProblem(deps, removed);
        }),
      ),
    makeBotToken: tokenEndpoint(deps),
    streamBot: streamEndpoint(deps),
    injectBot: injectEndpoint(deps),
    actAsBot: actEndpoint(deps),
  };
}

function always(perform: Action['perform']): Action {
  return { refusal: null, perform };
}

function presentBot(bot: BotRow): object {
  const { id, game, mode, name, displayName, playerId, kind, difficulty, weight, active } = bot;
  const createdAt = makeTime(bot.createdAt);
  const numbers = { difficulty, weight, active, createdAt };
  return { id, game, mode, name, displayName, playerId, kind, ...numbers };
}

/** With their scores in the worlds that the caller may see. */
async function presentScored(
  { bots: service }: HttpDeps,
  caller: Caller,
  bots: readonly BotRow[],
): Promise<readonly object[]> {
  const scores = await service.scoresOf(bots);
  return bots.map((bot) => {
    const own = (scores.get(bot.id) ?? []).filter(({ mode }) => caller.modes.includes(mode));
    return {
      ...presentBot(bot),
      score: own.map(({ mode, level, matches, wins, losses, draws }) => ({
        mode,
        difficulty: level,
        matches,
        wins,
        losses,
        draws,
      })),
    };
  });
}

async function onBot(
  deps: HttpDeps,
  caller: Caller,
  id: string,
  act: (bot: BotRow) => Promise<Reply | Problem> | Reply | Problem,
): Promise<Reply | Problem> {
  if (!isId('bot', id)) return makeProblem('bot_not_found');
  const found = await deps.bots.get(caller.tenant.id, id);
  if (!found.ok) return botProblem(deps, found);
  return mayRead(caller, found.value.mode) ? act(found.value) : makeProblem('bot_not_found');
}

/** A bot that the key may change; for a bot that it may only read it is a 403. */
function onOwnBot(
  deps: HttpDeps,
  caller: Caller,
  id: string,
  act: (bot: BotRow) => Promise<Reply | Problem> | Reply | Problem,
): Promise<Reply | Problem> {
  return onBot(deps, caller, id, (bot) =>
    caller.modes.includes(bot.mode) ? act(bot) : makeProblem('test_key_live_bot'),
  );
}

// ── the registry ───────────────────────────────────────────────────────────────────────────────

function createEndpoint(deps: HttpDeps): Endpoint {
  return ({ fields }, caller) => {
    const asked = readGameFields(deps.games, botRequest, fields);
    if (isProblem(asked)) return asked;
    const { game, name, kind } = asked;
    const difficulty = asked.difficulty ?? null;
    if (kind === 'external' && difficulty !== null) return notBuiltin();
    const world = requestedWorld(caller, asked.mode, 'test_key_live_bot');
    if (isProblem(world)) return world;
    const bot = {
      tenant: caller.tenant.id,
      mode: world.mode,
      game,
      name,
      displayName: asked.displayName || null,
      playerId: asked.playerId ?? null,
      kind,
      difficulty,
      weight: asked.weight ?? null,
    };
    return {
      refusal: world.refusal,
      async perform(keep) {
        const makeAnswer = (made: BotRow): Reply => makeReply(201, presentBot(made));
        const made = await deps.bots.register(bot, actorOf(caller), keepBot(keep, makeAnswer));
        if (!made.ok) return botProblem(deps, made);
        return { ...makeAnswer(made.value), isStored: keep !== null };
      },
    };
  };
}

/** Only the service's own bots have levels. */
function notBuiltin(): Problem {
  return makeProblem('invalid_field', { field: 'difficulty' });
}

function keepBot(keep: Keep, makeAnswer: (bot: BotRow) => Reply) {
  return keep === null ? null : (bot: BotRow) => keep(makeAnswer(bot));
}

function listEndpoint(deps: HttpDeps): Endpoint {
  return ({ query }, caller) => {
    const asked = readGameQuery(deps.games, botQuery, query);
    if (isProblem(asked)) return asked;
    const before = parseCursor('bot', asked.cursor ?? null);
    if (isProblem(before)) return before;
    const limit = asked.limit ?? PAGE_DEFAULT;
    const active = asked.active === undefined ? null : asked.active === 'true';
    const mode = asked.mode ?? caller.key.mode;
    const filter = { tenant: caller.tenant.id, mode, game: asked.game ?? null, active, before };
    return always(async () => {
      const isShown = mayRead(caller, mode);
      // One more than requested reveals whether there is another page.
      const bots = isShown ? await deps.bots.list({ ...filter, limit: limit + 1 }) : [];
      const page = bots.slice(0, limit);
      const last = bots.length > limit ? page.at(-1) : undefined;
      return makeReply(200, {
        data: await presentScored(deps, caller, page),
        nextCursor: last === undefined ? null : makeCursor(last.id),
      });
    });
  };
}

function updateEndpoint(deps: HttpDeps): Endpoint {
  return ({ params, fields }, caller) => {
    const asked = readFields(botChange, fields);
    if (isProblem(asked)) return asked;
    const change = Object.fromEntries(
      Object.entries(asked).filter(([, value]) => value !== null && value !== undefined),
    ) as BotChange;
    return always((keep) =>
      onOwnBot(deps, caller, params['botId']!, async (bot) => {
        if (bot.kind === 'external' && change.difficulty !== undefined) return notBuiltin();
        const { displayName, ...rest } = change;
        // An empty name counts as none: the bot then has the tenant's name for it.
        const shown = displayName === '' ? (rest.name ?? bot.name) : displayName;
        const whole = { ...rest, ...(shown === undefined ? null : { displayName: shown }) };
        const makeAnswer = (after: BotRow): Reply => makeReply(200, presentBot(after));
        const kept = keepBot(keep, makeAnswer);
        const updated = await deps.bots.update(bot, whole, actorOf(caller), kept);
        if (!updated.ok) return botProblem(deps, updated);
        return { ...makeAnswer(updated.value), isStored: keep !== null };
      }),
    );
  };
}

// ── seats ──────────────────────────────────────────────────────────────────────────────────────

function injectEndpoint(deps: HttpDeps): Endpoint {
  return ({ params, fields }, caller) => {
    const asked = readFields(botSeatRequest, fields);
    if (isProblem(asked)) return asked;
    return always(async (keep) => {
      const ref = sessionRef(caller, params['id']!);
      if (isProblem(ref)) return ref;
      const makeAnswer: SeatedAnswer = (bot, view) =>
        makeReply(201, { bot: presentBot(bot), session: presentSession(view, null) });
      const kept: Parameters<HttpDeps['bots']['inject']>[2] =
        keep === null ? null : (bot, after) => keep(makeAnswer(bot, after));
      const seated = await deps.bots.inject(ref, asked.botId ?? null, kept);
      if (!seated.ok) return botProblem(deps, seated);
      const { bot, view } = seated.value;
      return { ...makeAnswer(bot, view), isStored: keep !== null };
    });
  };
}

type SeatedAnswer = (bot: BotRow, view: Parameters<typeof presentSession>[0]) => Reply;

// ── programs ───────────────────────────────────────────────────────────────────────────────────

/** A program's bot: the token's own, and no other (rule E4). */
async function externalBot(deps: HttpDeps, caller: Caller, id: string): Promise<BotRow | Problem> {
  if (!isId('bot', id)) return makeProblem('bot_not_found');
  const { tenant, modes, bot: own } = caller;
  const found = await deps.bots.findExternal(tenant.id, id, modes);
  if (!found.ok) return botProblem(deps, found);
  const bot = found.value;
  if (own !== undefined) return own === bot.playerId ? bot : makeProblem('bot_not_found');
  if (!mayRead(caller, bot.mode)) return makeProblem('bot_not_found');
  return modes.includes(bot.mode) ? bot : makeProblem('test_key_live_bot');
}

/** Rule B3: a test bot has no live sessions; a live one has test sessions if it asked for them. */
function botMode(bot: BotRow, asked: KeyMode | undefined, { modes }: Caller): KeyMode | Problem {
  const mode = asked ?? (modes.includes(bot.mode) ? bot.mode : 'test');
  // Rule K3: bots of a world that the key may not see do not exist for it.
  if (!modes.includes(mode)) return makeProblem('bot_not_found');
  const isElsewhere = bot.mode === 'test' && mode === 'live';
  return isElsewhere ? makeProblem('bot_of_other_mode', { id: bot.id, mode: bot.mode }) : mode;
}

function tokenEndpoint(deps: HttpDeps): Endpoint {
  return ({ params, query }, caller) => {
    const asked = readQuery(botTokenQuery, query);
    if (isProblem(asked)) return asked;
    const world = requestedWorld(caller, asked.mode, 'test_key_live_bot');
    if (isProblem(world)) return world;
    return {
      refusal: world.refusal,
      async perform() {
        const bot = await externalBot(deps, caller, params['botId']!);
        if (isProblem(bot)) return bot;
        const mode = botMode(bot, asked.mode, caller);
        return typeof mode === 'string' ? makeToken(deps, bot, mode) : mode;
      },
    };
  };
}

function makeToken(deps: HttpDeps, { id, playerId }: BotRow, mode: KeyMode): Reply {
  const streamUrl = `${deps.publicUrl}/v1/bots/${id}/stream`;
  const body = {
    token: '',
    expiresIn: BOT_TOKEN_LIFE_S,
    socketUrl: makeSocketUrl(deps),
    streamUrl,
  };
  return makeReply(201, body, { kind: 'bot', mode, player: playerId });
}

function streamEndpoint(deps: HttpDeps): Endpoint {
  return ({ params, query }, caller) => {
    const asked = readQuery(botStreamQuery, query);
    if (isProblem(asked)) return asked;
    return always(async () => {
      const bot = await externalBot(deps, caller, params['botId']!);
      if (isProblem(bot)) return bot;
      const mode = botMode(bot, asked.mode, caller);
      return typeof mode === 'string' ? stream(deps, caller, bot, mode) : mode;
    });
  };
}

async function stream(
  { botStreams, streams, clock }: HttpDeps,
  { tenant, limits, mayStillAsk }: Caller,
  bot: BotRow,
  mode: KeyMode,
): Promise<Reply | Problem> {
  const held = await streams.open({ tenant: tenant.id, mode }, limits.eventStreams, mayStillAsk);
  if (held === null) {
    return makeProblem('event_streams_exceeded', null, retryAfter(STREAMS_RETRY_MS));
  }
  let opened: BotStream;
  try {
    opened = await botStreams.open({ tenant: tenant.id, mode, playerId: bot.playerId });
  } catch (error) {
    held.leave();
    throw error;
  }
  const { states } = opened;
  const sessions = JSON.stringify(opened.sessions);
  const whole = states.map(({ text }) => text).join(',');
  const chunks = makeTextStream(clock, {
    first: `{"t":"welcome","bot":"${bot.id}","sessions":${sessions},"states":[${whole}]}\n`,
    heartbeat: '\n',
    async next() {
      const texts = opened.next();
      return texts === null ? null : texts.map((text) => `${text}\n`).join('');
    },
    wait: opened.wait,
    opened: held.onEnd,
    closed() {
      opened.close();
      held.leave();
    },
  });
  return makeStreamReply({
    contentType: 'application/x-ndjson; charset=utf-8',
    chunks,
    ended: null,
  });
}

function actEndpoint(deps: HttpDeps): Endpoint {
  return ({ params, fields }, caller) => {
    const asked = readFields(botActionRequest, fields);
    if (isProblem(asked)) return asked;
    const { id, action } = asked;
    const botId = asked.botId ?? null;
    if (caller.bot === undefined && botId === null) {
      return makeProblem('field_required', { field: 'botId' });
    }
    if (action === undefined || action === null) {
      return makeProblem('field_required', { field: 'action' });
    }
    return always(async () => {
      const ref = sessionRef(caller, params['id']!);
      if (isProblem(ref)) return ref;
      const bot = botId === null ? null : await externalBot(deps, caller, botId);
      if (isProblem(bot)) return bot;
      const playerId = bot?.playerId ?? caller.bot!;
      return answerAct(deps, id, await deps.bots.act(ref, playerId, id, action));
    });
  };
}

function answerAct(deps: HttpDeps, id: string, outcome: ActOutcome): Reply | Problem {
  switch (outcome.kind) {
    case 'ack':
      return makeReply(200, { id, v: outcome.v });
    case 'reject':
      return rejectProblem(deps, outcome.code, outcome.error);
    case 'refused':
      return botProblem(deps, { ok: false, refusal: outcome.refusal });
  }
}
