/** Writes a match of the past as the service would have: its row, its log, events, ratings and seal. */

import type { AnyMind } from '../../../game/src/bot.ts';
import { makeCreatedEvents, makeStepEvents } from '../../events/session-events.ts';
import type { Games } from '../../games/games.ts';
import type { Step } from '../../match/decide.ts';
import type { MatchType } from '../../match/record.ts';
import { seatOrder } from '../../match/seating.ts';
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
import type { SessionRequest } from '../../runtime/sessions/session-service.ts';
import { extendChain, startChain } from '../../runtime/signing/log-chain.ts';
import type { Seals } from '../../runtime/signing/seals.ts';
import type { MatchCommit, SessionStore } from '../../store/store.ts';
import { type KeyMode, limitsOf, type Tenant } from '../../tenancy/tenant.ts';
import type { Chance } from './chance.ts';
import { makeIdsAt } from './ids-at.ts';
import { type Course, playMatch } from './match.ts';
import type { Person } from './people.ts';

export interface MatchWriter {
  readonly store: Pick<SessionStore, 'createSession' | 'commit'>;
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
  readonly skills: readonly number[];
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
/** Of a fight: a minute is enough to look at. */
const SHORT_FIGHT = { roundSeconds: 15, roundsToWin: 1 };

export async function writeMatch(
  deps: MatchWriter,
  past: PastMatch,
  chance: Chance,
): Promise<WrittenMatch> {
  const { store, games, randomness, tenant } = deps;
  const { at, people, mode, course } = past;
  // Ids sort by when they were made.
  const makeId = makeIdsAt(() => at, randomness);
  const maker: MakerDeps = { ...deps, makeId };
  const rules = games.find(past.game)!;
  const request = requestOf(deps, past);
  const id = makeId('ses');
  const entry = firstEntry(maker, request, at);
  const row = firstRow(request, id, makeRoomCode(randomness), at);
  const makeEventId = (): string => makeId('evt');
  const order = entry.record.k === 'created' ? seatOrder(entry.record.setup) : [];
  const created = await store.createSession({
    row,
    seats: people.map((each, n) => seatedRow(maker, each, order[n]!, at)),
    entry,
    roomCodeExpiresAt: at,
    wakeAt: null,
    quota: quotaOf(request, at),
    idempotency: null,
    events: makeCreatedEvents({ tenant: tenant.id, mode }, id, entry, makeEventId),
  });
  if (typeof created === 'string') throw new Error(`a sample session was not created: ${created}`);
  const { first, steps } = playMatch(
    {
      id,
      rules,
      mind: mindOf(deps, past.game),
      entry,
      skills: past.skills,
      course,
      startsAt: at + past.waitMs,
      until: past.until,
    },
    chance,
  );
  const last = steps.at(-1)?.after ?? first;
  if (steps.length > 0) {
    const asked = changeOf({ row, session: first, isAsleep: false }, steps, undefined);
    const roster = order.map((_, seat) => {
      const person = people[order.indexOf(seat)]!;
      return { id: person.id, displayName: person.displayName };
    });
    const entries = steps.map((step) => step.entry);
    const head = extendChain(startChain(row), [entry, ...entries]);
    const seal =
      asked?.status === 'ended'
        ? { seal: deps.seals.make({ row: rowAfter(row, asked), roster, session: last, head }) }
        : null;
    await commit(store, {
      session: id,
      tenant: tenant.id,
      mode,
      entries,
      change: asked === null ? null : { ...asked, ...seal },
      events: makeStepEvents({ tenant: tenant.id, mode }, steps, makeEventId, first),
    });
  }
  const { startedAt = null } = 'startedAt' in last ? last : {};
  const endedAt = last.status === 'ended' ? last.endedAt : null;
  return { ...past, session: id, startedAt, endedAt, moves: movesOf(steps) };
}

function mindOf({ games, minds }: MatchWriter, game: string): AnyMind | null {
  const known = minds.get(game);
  if (known !== undefined) return known;
  const mind = games.find(game)!.bot?.makeMind() ?? null;
  minds.set(game, mind);
  return mind;
}

function requestOf({ games, tenant }: MatchWriter, past: PastMatch): SessionRequest {
  const { game, mode, matchType, people, course } = past;
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
    variant: rules.variants[0],
    seats: people.length,
    players: people,
    // The match has its players: no one is to be matched with them.
    order: people.map((_, seat) => seat),
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
