/** A match of the past as the service would have written it: its row, its log, events, ratings and seal. */

import type { AnyMind } from '../../../game/src/bot.ts';
import { makeCheckEvents } from '../../events/check-events.ts';
import { makeCreatedEvents, makeStepEvents } from '../../events/session-events.ts';
import type { Games } from '../../games/games.ts';
import type { Verdict } from '../../integrity/verdict.ts';
import type { Step } from '../../match/decide.ts';
import type { Entry, MatchType } from '../../match/record.ts';
import { isOptionError, parseOptions } from '../../match/setup.ts';
import { changeOf, rowAfter } from '../../runtime/host/session-change.ts';
import type { Randomness } from '../../runtime/ports.ts';
import {
  firstEntry,
  firstRow,
  type MakerDeps,
  quotaOf,
  seatedRow,
} from '../../runtime/sessions/new-session.ts';
import { makeRoomCode } from '../../runtime/sessions/room-code.ts';
import type { NamedPlayer, SessionRequest } from '../../runtime/sessions/session-service.ts';
import { extendChain, startChain } from '../../runtime/signing/log-chain.ts';
import type { Seals } from '../../runtime/signing/seals.ts';
import type { MatchCommit, NewSession, SessionStore } from '../../store/store.ts';
import { type KeyMode, limitsOf, type Tenant } from '../../tenancy/tenant.ts';
import type { SampleBot } from './bots.ts';
import type { Chance } from './chance.ts';
import { makeIdsAt } from './ids-at.ts';
import { type Course, type Played, playMatch } from './match.ts';
import type { Person } from './people.ts';

export interface MatchMaker {
  readonly games: Games;
  readonly seals: Pick<Seals, 'make'>;
  readonly randomness: Randomness;
  readonly node: string;
  readonly tenant: Tenant;
  /** By game. */
  readonly minds: Map<string, AnyMind | null>;
}

/** A match that is to have been. */
export interface PastMatch {
  readonly mode: KeyMode;
  readonly game: string;
  readonly matchType: MatchType;
  /** When it is created, ms since 1970. */
  readonly at: number;
  /** In the order of seats. */
  readonly people: readonly Person[];
  /** It has the seat after theirs; null for no bot. */
  readonly bot: SampleBot | null;
  /** By seat, the bot's as well. */
  readonly skills: readonly number[];
  /** Of the first player's device; null when it was not checked. */
  readonly verdict: Verdict | null;
  readonly course: Course;
  /** How long its players needed to come together. */
  readonly waitMs: number;
  /** Its latest time. */
  readonly until: number;
}

/** What the figures are made of. */
export interface WrittenMatch extends PastMatch {
  readonly session: string;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  /** When each move was made. */
  readonly moves: readonly number[];
}

/** How long no player of a running match times out: it has to stay as it was written. */
const PATIENCE_MS = 14 * 24 * 60 * 60 * 1_000;
/** A classic match of ludo has hundreds of rolls. */
const SHORT_VARIANTS: Readonly<Record<string, string>> = { ludo: 'quick' };
/** Of a fight: a minute is enough to look at. */
const SHORT_FIGHT = { roundSeconds: 15, roundsToWin: 1 };

/** A match that was played, ready to be written. */
export interface PlayedMatch {
  readonly created: NewSession;
  /** Null: it has no more than its first record. */
  readonly commit: MatchCommit | null;
  readonly written: WrittenMatch;
}

export function makeMatch(deps: MatchMaker, past: PastMatch, chance: Chance): PlayedMatch {
  const { randomness, tenant } = deps;
  const { at, people, mode } = past;
  // Ids sort by when they were made.
  const makeId = makeIdsAt(() => at, randomness);
  const maker: MakerDeps = { ...deps, makeId };
  const request = requestOf(deps, past);
  const id = makeId('ses');
  const entry = firstEntry(maker, request, at);
  const checks = past.verdict === null ? [] : [{ seat: 0, verdict: past.verdict }];
  const row = {
    ...firstRow(request, id, makeRoomCode(randomness), at),
    ...(checks.length === 0 ? null : { integrity: JSON.stringify(checks) }),
  };
  const world = { tenant: tenant.id, mode };
  const makeEventId = (): string => makeId('evt');
  const seats = seatedPlayers(past);
  const { steps, first } = play(deps, past, { id, entry }, chance);
  const last = steps.at(-1)?.after ?? first;
  const created: NewSession = {
    row,
    seats: seats.map((each, seat) => seatedRow(maker, each, seat, at, seat >= people.length)),
    entry,
    roomCodeExpiresAt: at,
    wakeAt: null,
    quota: quotaOf(request, at),
    idempotency: null,
    events: [
      ...makeCreatedEvents(world, id, entry, makeEventId),
      ...makeCheckEvents(world, id, checks, entry, makeEventId),
    ],
  };
  const { startedAt = null } = 'startedAt' in last ? last : {};
  const endedAt = last.status === 'ended' ? last.endedAt : null;
  const written = { ...past, session: id, startedAt, endedAt, moves: movesOf(steps) };
  if (steps.length === 0) return { created, commit: null, written };
  const asked = changeOf({ row, session: first, isAsleep: false }, steps, undefined);
  const entries = steps.map((step) => step.entry);
  const head = extendChain(startChain(row), [entry, ...entries]);
  const seal =
    asked?.status === 'ended'
      ? { seal: deps.seals.make({ row: rowAfter(row, asked), roster: seats, session: last, head }) }
      : null;
  const commit = {
    session: id,
    ...world,
    entries,
    change: asked === null ? null : { ...asked, ...seal },
    events: makeStepEvents(world, steps, makeEventId, first),
  };
  return { created, commit, written };
}

function play(
  deps: MatchMaker,
  { game, skills, course, at, waitMs, until }: PastMatch,
  { id, entry }: { readonly id: string; readonly entry: Entry },
  chance: Chance,
): Played {
  const rules = deps.games.find(game)!;
  const startsAt = at + waitMs;
  const mind = mindOf(deps, game);
  return playMatch({ id, rules, mind, entry, skills, course, startsAt, until }, chance);
}

/** In the order of seats: the bot has the last one. */
function seatedPlayers({ people, bot }: PastMatch): readonly NamedPlayer[] {
  const players = bot === null ? people : [...people, bot];
  return players.map(({ id, displayName }) => ({ id, displayName }));
}

/** In few transactions: all are created before any of them is continued. */
export async function writeMatches(
  store: Pick<SessionStore, 'createSession' | 'commit'>,
  played: readonly PlayedMatch[],
): Promise<void> {
  const made = await Promise.all(played.map(({ created }) => store.createSession(created)));
  const refused = made.find((each) => typeof each === 'string');
  if (refused !== undefined) throw new Error(`a sample session was not created: ${refused}`);
  await Promise.all(
    played.map(({ commit: asked }) => (asked === null ? null : commit(store, asked))),
  );
}

function mindOf({ games, minds }: MatchMaker, game: string): AnyMind | null {
  const known = minds.get(game);
  if (known !== undefined) return known;
  const mind = games.find(game)!.bot?.makeMind() ?? null;
  minds.set(game, mind);
  return mind;
}

function requestOf({ games, tenant }: MatchMaker, past: PastMatch): SessionRequest {
  const { game, mode, matchType, people, bot, skills, course } = past;
  const rules = games.find(game)!.game;
  const patience =
    course === 'under way'
      ? { turnTimeoutMs: PATIENCE_MS, disconnectGraceMs: PATIENCE_MS, afk: false }
      : null;
  const options = parseOptions(rules, {
    ...patience,
    ...(game === 'fight-arena' ? SHORT_FIGHT : null),
  });
  if (isOptionError(options)) throw new Error(`no options of ${game}: ${options.field}`);
  return {
    tenant: tenant.id,
    mode,
    game,
    matchType,
    options,
    variant: rules.variants.find((each) => each === SHORT_VARIANTS[game]) ?? rules.variants[0],
    seats: skills.length,
    players: people,
    ...(bot === null ? null : { bots: [{ player: bot, level: bot.difficulty }] }),
    // The match has its players: no one is to be matched with them.
    order: skills.map((_, seat) => seat),
    metadata: null,
    theme: null,
    limits: limitsOf(tenant),
  };
}

function movesOf(steps: readonly Step[]): readonly number[] {
  return steps.flatMap(({ entry: { at, record } }) => (record.k === 'action' ? [at] : []));
}

function commit(store: Pick<SessionStore, 'commit'>, asked: MatchCommit): Promise<void> {
  return new Promise((resolve, reject) => {
    store.commit(asked, (outcome) => {
      if (outcome === 'committed') resolve();
      else reject(new Error(`a sample match was not written: ${outcome}`));
    });
  });
}
