/** A tenant's bots: registered, seated in sessions, and played by the tenant's programs. */

import type { GameId, Seat } from '../../../game/src/game.ts';
import type { Games } from '../../games/games.ts';
import type { RejectCode } from '../../match/decide.ts';
import type { BotDifficulty, Mode } from '../../match/record.ts';
import { openSeat } from '../../match/seating.ts';
import type { Roster } from '../../match/session.ts';
import type {
  BotChange,
  BotFilter,
  BotKind,
  BotRow,
  BotScore,
  BotStore,
  BotWrite,
} from '../../store/bots.ts';
import type { IdempotencyRow, SessionRow, SessionStore } from '../../store/store.ts';
import type { KeyMode } from '../../tenancy/tenant.ts';
import type { MatchHost } from '../host/match-host.ts';
import type { MatchView, WorkResult } from '../host/work.ts';
import type { MakeId } from '../ids.ts';
import type { Clock, Randomness } from '../ports.ts';
import { type Erasures, makeErasures } from '../sessions/erasures.ts';
import { seatedRow } from '../sessions/new-session.ts';
import { BOTS_MAX, listActiveBots, makeBotSeat, pickBot } from '../sessions/seating.ts';
import { isVisible } from '../sessions/session-ref.ts';
import type { ServiceRefusal, SessionRef } from '../sessions/session-service.ts';

export type BotRefusal =
  | ServiceRefusal
  | 'bot_not_found'
  | 'bot_of_other_game'
  | 'bot_of_other_mode'
  | 'bot_inactive'
  | 'bot_not_external'
  | 'bot_not_seated'
  | 'bot_player_taken'
  | 'bot_limit_reached';

export type BotOutcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly refusal: BotRefusal; readonly bot?: BotRow };

/** A bot to register; omitted fields are null. */
export interface NewBot {
  readonly tenant: string;
  readonly mode: KeyMode;
  readonly game: GameId;
  readonly name: string;
  readonly displayName: string | null;
  readonly playerId: string | null;
  readonly kind: BotKind;
  readonly difficulty: BotDifficulty | null;
  readonly weight: number | null;
}

/** The author of a write, for the audit: `key:<id>` or another (rule K3). */
export type Actor = string;
/** Makes the row with the stored response, from the bot as it will be (rule H8). */
export type KeepBot = ((bot: BotRow) => IdempotencyRow) | null;

/** The result of an action. The version is that of its record. */
export type ActOutcome =
  | { readonly kind: 'ack'; readonly v: number }
  | { readonly kind: 'reject'; readonly code: RejectCode; readonly error: string }
  | { readonly kind: 'refused'; readonly refusal: BotRefusal };

export interface BotService {
  register(bot: NewBot, actor: Actor, keep: KeepBot): Promise<BotOutcome<BotRow>>;
  list(filter: BotFilter): Promise<readonly BotRow[]>;
  get(tenant: string, id: string): Promise<BotOutcome<BotRow>>;
  /** Scores by bot. */
  scoresOf(bots: readonly BotRow[]): Promise<ReadonlyMap<string, readonly BotScore[]>>;
  update(bot: BotRow, change: BotChange, actor: Actor, keep: KeepBot): Promise<BotOutcome<BotRow>>;
  remove(bot: BotRow, actor: Actor, keep: KeepBot): Promise<BotOutcome<BotRow>>;
  /** The named bot, or one picked by weight, takes the next open seat (rule B2). */
  inject(
    ref: SessionRef,
    botId: string | null,
    keep: ((bot: BotRow, after: MatchView) => IdempotencyRow) | null,
  ): Promise<BotOutcome<{ readonly bot: BotRow; readonly view: MatchView }>>;
  /** A bot that a program of the tenant's plays. A deleted one while it still has seats. */
  findExternal(tenant: string, id: string, modes: readonly Mode[]): Promise<BotOutcome<BotRow>>;
  /** Is the player id a bot's and of no other seat? See the store. */
  isOnlyBot(tenant: string, worlds: readonly KeyMode[], playerId: string): Promise<boolean>;
  /** An action of the bot under that player id. Answers after the commit. */
  act(ref: SessionRef, playerId: string, id: string, action: unknown): Promise<ActOutcome>;
}

export interface BotServiceDeps {
  readonly store: BotStore & Pick<SessionStore, 'listOpenSessionsOf'>;
  readonly host: Pick<MatchHost, 'run' | 'peek' | 'playAs'>;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly makeId: MakeId;
  readonly node: string;
  readonly games: Games;
}

/** Refusals that leave the outcome unknown. */
const PASSING: readonly RejectCode[] = ['unavailable', 'busy'];
const WEIGHT = 1;
const DIFFICULTY: BotDifficulty = 'medium';

export function makeBotService(
  deps: BotServiceDeps,
  erasures: Erasures = makeErasures(),
): BotService {
  const { store } = deps;
  return {
    register: (bot, actor, keep) => register(deps, bot, actor, keep),
    list: (filter) => store.listBots(filter),
    get: (tenant, id) => get(store, tenant, id),
    async scoresOf(bots) {
      const scores = await store.listBotScores(bots.map(({ id }) => id));
      return Map.groupBy(scores, ({ bot }) => bot);
    },
    async update(bot, change, actor, keep) {
      const after = { ...bot, ...change };
      const write = makeWrite(deps, 'bot.updated', after, actor, keep);
      const isDone = await store.updateBot(bot.tenant, bot.id, change, write);
      return isDone ? { ok: true, value: after } : refuse('bot_not_found');
    },
    async remove(bot, actor, keep) {
      const write = makeWrite(deps, 'bot.deleted', bot, actor, keep);
      const isDone = await store.removeBot(bot.tenant, bot.id, deps.clock.now(), write);
      return isDone ? { ok: true, value: bot } : refuse('bot_not_found');
    },
    inject: (ref, botId, keep) => erasures.name(ref.tenant, () => inject(deps, ref, botId, keep)),
    findExternal: (tenant, id, modes) => findExternal(deps, tenant, id, modes),
    isOnlyBot: (...who) => store.isOnlyBot(...who),
    act: (ref, playerId, id, action) => act(deps, ref, playerId, id, action),
  };
}

function refuse(refusal: BotRefusal, bot?: BotRow): Extract<BotOutcome<never>, { ok: false }> {
  return { ok: false, refusal, ...(bot === undefined ? null : { bot }) };
}

// ── the registry ───────────────────────────────────────────────────────────────────────────────

async function register(
  { store, clock, makeId, ...deps }: BotServiceDeps,
  asked: NewBot,
  actor: Actor,
  keep: KeepBot,
): Promise<BotOutcome<BotRow>> {
  const id = makeId('bot');
  const { tenant, mode, game, name, kind } = asked;
  const bot: BotRow = {
    id,
    tenant,
    mode,
    game,
    name,
    displayName: asked.displayName ?? name,
    playerId: asked.playerId ?? `bot:${id}`,
    kind,
    difficulty: kind === 'builtin' ? (asked.difficulty ?? DIFFICULTY) : null,
    weight: asked.weight ?? WEIGHT,
    active: true,
    createdAt: clock.now(),
    deletedAt: null,
  };
  const write = makeWrite({ ...deps, store, clock, makeId }, 'bot.created', bot, actor, keep);
  const outcome = await store.createBot(bot, BOTS_MAX, write);
  if (outcome === 'created') return { ok: true, value: bot };
  return refuse(outcome === 'too_many' ? 'bot_limit_reached' : 'bot_player_taken');
}

function makeWrite(
  { clock }: BotServiceDeps,
  act: string,
  bot: BotRow,
  actor: Actor,
  keep: KeepBot,
): BotWrite {
  const audit = { tenant: bot.tenant, actor, act, object: bot.id, at: clock.now() };
  return { audit, idempotency: keep === null ? null : keep(bot) };
}

async function get(
  store: BotServiceDeps['store'],
  tenant: string,
  id: string,
): Promise<BotOutcome<BotRow>> {
  const bot = await store.findBot(tenant, id);
  return bot === null || bot.deletedAt !== null
    ? refuse('bot_not_found')
    : { ok: true, value: bot };
}

async function findExternal(
  { store }: BotServiceDeps,
  tenant: string,
  id: string,
  modes: readonly Mode[],
): Promise<BotOutcome<BotRow>> {
  const bot = await store.findBot(tenant, id);
  if (bot === null) return refuse('bot_not_found');
  if (bot.deletedAt !== null) {
    const lists = modes.map((mode) => store.listOpenSessionsOf(tenant, mode, bot.playerId));
    if ((await Promise.all(lists)).every((list) => list.length === 0)) {
      return refuse('bot_not_found');
    }
  }
  return bot.kind === 'external' ? { ok: true, value: bot } : refuse('bot_not_external');
}

// ── seats ──────────────────────────────────────────────────────────────────────────────────────

async function inject(
  deps: BotServiceDeps,
  ref: SessionRef,
  botId: string | null,
  keep: ((bot: BotRow, after: MatchView) => IdempotencyRow) | null,
): Promise<BotOutcome<{ readonly bot: BotRow; readonly view: MatchView }>> {
  const found = await deps.host.peek(ref.id);
  if (found === null || !isVisible(found.row, ref)) return refuse('session_not_found');
  const choices = await listChoices(deps, found.row, botId);
  if (!choices.ok) return choices;
  const isNamed = botId !== null;
  const chosen: Chosen = { choices: choices.value, isNamed, bot: null, seat: -1, refusal: null };
  const result = await seat(deps, ref.id, chosen, keep);
  if (result.kind !== 'done' || chosen.bot === null) {
    // The outcome is unknown, and the rules may change their answer by the next look.
    const isPassing = result.kind === 'rejected' && PASSING.includes(result.code);
    return refuse((isPassing ? null : chosen.refusal) ?? refusalOf(result));
  }
  const { row, roster, session } = result.match;
  return { ok: true, value: { bot: chosen.bot, view: { row, roster, session } } };
}

/** The named bot alone, or all active ones that may sit there. */
async function listChoices(
  { store }: BotServiceDeps,
  { tenant, game, ...row }: SessionRow,
  botId: string | null,
): Promise<BotOutcome<readonly BotRow[]>> {
  // A training session has no open seat (rule S4).
  const mode = row.mode === 'training' ? (row.world ?? 'live') : row.mode;
  if (botId === null) {
    return { ok: true, value: await listActiveBots(store, tenant, mode, game) };
  }
  const named = await get(store, tenant, botId);
  if (!named.ok) return named;
  if (named.value.game !== game) return refuse('bot_of_other_game', named.value);
  const seatable = await store.listSeatableBots({ tenant, mode, game, id: botId });
  return seatable.length > 0
    ? { ok: true, value: seatable }
    : refuse('bot_of_other_mode', named.value);
}

/** Which bot is seated, and where, is decided in the session's turn. */
interface Chosen {
  readonly choices: readonly BotRow[];
  readonly isNamed: boolean;
  bot: BotRow | null;
  seat: Seat;
  refusal: BotRefusal | null;
}

function seat(
  deps: BotServiceDeps,
  session: string,
  chosen: Chosen,
  keep: ((bot: BotRow, after: MatchView) => IdempotencyRow) | null,
): Promise<WorkResult> {
  return new Promise((resolve) => {
    deps.host.run(session, {
      command(match) {
        chosen.refusal = choose(deps, match, chosen);
        if (chosen.refusal !== null || chosen.bot === null) {
          return { code: 'unknown_session', error: 'No bot takes a seat' };
        }
        const { level } = makeBotSeat(chosen.bot);
        return { kind: 'join', bot: true, ...(level === null ? null : { level }) };
      },
      roster: (match) => rosterWith(match, chosen),
      change(match, after) {
        const { player } = makeBotSeat(chosen.bot!);
        const view: MatchView = {
          row: match.row,
          roster: rosterWith(match, chosen),
          session: after,
        };
        return {
          seats: [seatedRow(deps, player, chosen.seat, after.at, true)],
          ...(keep === null ? null : { idempotency: keep(chosen.bot!, view) }),
        };
      },
      done(result) {
        resolve(result);
        return undefined;
      },
    });
  });
}

/** In the order of rule B2, from the session's state. */
function choose(
  { randomness }: BotServiceDeps,
  { session, roster }: MatchView,
  chosen: Chosen,
): BotRefusal | null {
  const seated = roster.flatMap((player) => player?.id ?? []);
  chosen.bot = null;
  if (session.status !== 'pending') return 'session_not_pending';
  const free = openSeat(session);
  if (free === null) return 'room_full';
  chosen.seat = free;
  if (!chosen.isNamed) {
    chosen.bot = pickBot(chosen.choices, seated, randomness);
    return chosen.bot === null ? 'no_active_bots' : null;
  }
  const bot = chosen.choices[0]!;
  if (!bot.active) return 'bot_inactive';
  if (seated.includes(bot.playerId)) return 'player_in_session';
  chosen.bot = bot;
  return null;
}

function rosterWith({ roster, session }: MatchView, { bot, seat: taken }: Chosen): Roster {
  return Array.from({ length: session.setup.seats }, (_, index) =>
    index === taken ? makeBotSeat(bot!).player : (roster[index] ?? null),
  );
}

function refusalOf(result: WorkResult): BotRefusal {
  if (result.kind !== 'rejected') return 'session_not_found';
  switch (result.code) {
    case 'session_not_pending':
    case 'session_ended':
      return 'session_not_pending';
    case 'room_full':
    case 'busy':
      return result.code;
    default:
      return 'unavailable';
  }
}

// ── actions ────────────────────────────────────────────────────────────────────────────────────

async function act(
  deps: BotServiceDeps,
  ref: SessionRef,
  playerId: string,
  id: string,
  action: unknown,
): Promise<ActOutcome> {
  const view = await deps.host.peek(ref.id);
  if (view === null || !isVisible(view.row, ref)) {
    return { kind: 'refused', refusal: 'session_not_found' };
  }
  const index = view.roster.findIndex((player) => player?.id === playerId);
  const held = view.session.seats[index];
  if (held?.isBot !== true || held.level !== null) {
    return { kind: 'refused', refusal: 'bot_not_seated' };
  }
  const played = await deps.host.playAs(
    ref.id,
    { seat: index, player: playerId },
    { kind: 'act', id, action },
  );
  if (played.kind === 'done') return { kind: 'ack', v: played.v };
  if (played.kind === 'not_found') return { kind: 'refused', refusal: 'session_not_found' };
  return { kind: 'reject', code: played.code, error: played.error };
}
