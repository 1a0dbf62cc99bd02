/** Continuous matches: each created, played by two persistent players, and compared with its log. */

import {
  checkMatch,
  type Finding,
  type LoggedMove,
  type MatchHistory,
} from '../../src/testing/matches/histories.ts';
import { makePlayer, type Player } from '../torture/player.ts';
import type { Backend } from './backend.ts';
import type { Chance } from './chance.ts';
import type { Pulse } from './pulse.ts';

export interface Matches {
  /** Running sessions. */
  running(): readonly string[];
  readonly figures: MatchFigures;
  /** Starts no more, waits for the running ones, and checks all once more. */
  finish(): Promise<void>;
}

export interface MatchFigures {
  matches: number;
  acked: number;
  lost: number;
  twice: number;
  stuck: number;
  unverified: number;
  /** Sockets that were shown less than the previous one had shown. */
  behind: number;
  /** Reasons for which matches ended, which only the games should give. */
  readonly reasons: Record<string, number>;
}

export interface MatchesOptions {
  readonly backend: Backend;
  readonly chance: Chance;
  readonly pulse: Pulse;
  readonly atOnce: number;
  /** For each match; the game's own by default. */
  readonly turnTimeoutMs?: number | undefined;
  /** The address of a player's next socket. */
  url(): string;
  /** `evidence` is for the investigation. */
  found(finding: Finding | string, evidence?: object): void;
}

const GAMES = ['tictactoe', 'connect4'];
/** One match in this many is against one of the service's own bots. */
const BOT_ONE_IN = 4;
/** These two games' reasons for an end; a timeout is none if nobody is slow. */
const GOOD_REASONS = ['three_in_a_row', 'four_in_a_row', 'board_full'];
const THINK_MS = { from: 40, to: 250 };
/** Faults take up to half a minute; no player waits longer for a match that survives them. */
const MATCH_MS_MAX = 150_000;
/** A player may see the end before the ack of the move that caused it: it comes within this time, or never. */
const LAST_ACKS_MS = 15_000;
const LOOK_AGAIN_MS = 50;
const LOOKS_AT_ONCE = 16;
const SILENCE_MS_MAX = 3_000;

interface Round extends MatchesOptions {
  readonly figures: MatchFigures;
  readonly running: Set<string>;
  readonly ended: MatchHistory[];
  count: number;
  isStopping: boolean;
}

export function startMatches(options: MatchesOptions): Matches {
  const figures: MatchFigures = {
    matches: 0,
    acked: 0,
    lost: 0,
    twice: 0,
    stuck: 0,
    unverified: 0,
    behind: 0,
    reasons: {},
  };
  const round: Round = {
    ...options,
    figures,
    running: new Set(),
    ended: [],
    count: 0,
    isStopping: false,
  };
  const lanes = Array.from({ length: options.atOnce }, () => playOn(round));
  return {
    running: () => [...round.running],
    figures,
    async finish() {
      round.isStopping = true;
      await Promise.all(lanes);
      // Stored data must still be there: a database replaced since may have lost it.
      const rest = round.ended.values();
      const lookOn = async (): Promise<void> => {
        for (const ended of rest) await look(round, ended);
      };
      await Promise.all(Array.from({ length: LOOKS_AT_ONCE }, lookOn));
    },
  };
}

/** A bot for each game: otherwise nobody plays in a match against one (rule B2). */
export async function registerBots(backend: Backend): Promise<void> {
  for (const game of GAMES) {
    const body = { game, name: `easy ${game}`, kind: 'builtin', difficulty: 'easy' };
    const { status, json } = await backend.insist({ method: 'POST', path: '/v1/bots', body });
    if (status !== 201) throw new Error(`no bot: ${status} ${json['error']}`);
  }
}

/** One match after the other. */
async function playOn(round: Round): Promise<void> {
  while (!round.isStopping) {
    await playMatch(round).catch((error: unknown) => round.found(String(error)));
  }
}

async function playMatch(round: Round): Promise<void> {
  const number = round.count++;
  const isBot = number % BOT_ONE_IN === 0;
  const players = isBot ? [`left-${number}`] : [`left-${number}`, `right-${number}`];
  const game = GAMES[number % GAMES.length]!;
  const { status, json } = await round.backend.insist({
    method: 'POST',
    path: '/v1/sessions',
    body: {
      game,
      matchType: isBot ? 'bot' : 'matchmaking',
      options: { turnTimeoutMs: round.turnTimeoutMs },
      players: players.map((id) => ({ id })),
    },
    once: `match-${number}`,
  });
  if (status >= 300) throw new Error(`a match was not created: ${status} ${json['error']}`);
  const session = String(json['sessionId']);
  const tokens = json['tokens'] as Record<string, string>;
  round.running.add(session);
  const seats = players.map((id, seat) => seatPlayer(round, session, tokens[id]!, seat, number));
  const all = Promise.all(seats.map(({ over }) => over));
  const isOver = await Promise.race([
    all.then(() => true),
    Bun.sleep(MATCH_MS_MAX).then(() => false),
  ]);
  round.running.delete(session);
  round.pulse.over(session);
  await settle(seats);
  for (const player of seats) player.close();
  await judge(round, session, seats, isOver);
}

/** Waits for the outstanding answers. */
async function settle(seats: readonly Player[]): Promise<void> {
  const until = performance.now() + LAST_ACKS_MS;
  while (seats.some((player) => player.isWaiting()) && performance.now() < until) {
    await Bun.sleep(LOOK_AGAIN_MS);
  }
}

function seatPlayer(
  { chance, pulse, url }: Round,
  session: string,
  token: string,
  seat: number,
  number: number,
): Player {
  return makePlayer({
    url,
    token,
    session,
    seat,
    choose: (count) => chance.below(count),
    thinkMs: chance.between(THINK_MS.from, THINK_MS.to),
    address: `10.0.${(number >> 8) & 255}.${number & 255}`,
    silenceMsMax: SILENCE_MS_MAX,
    onAck: (sentAt) => pulse.ack(session, sentAt),
  });
}

async function judge(
  round: Round,
  session: string,
  seats: readonly Player[],
  isOver: boolean,
): Promise<void> {
  const { figures, found, backend } = round;
  figures.matches += 1;
  if (!isOver) {
    figures.stuck += 1;
    found(`stuck: ${session}`, { players: seats.map(({ recent }) => recent) });
  }
  for (const player of seats) {
    figures.acked += player.acked.length;
    figures.behind += player.behind();
    for (const complaint of player.complaints) {
      found(`${session}: ${complaint}`, { recent: player.recent });
    }
  }
  const history: MatchHistory = {
    session,
    acked: seats.flatMap(({ acked }) => [...acked]),
    shown: seats.flatMap(({ shown }) => shown.filter(isMove)),
    isWhole: isOver,
    seats: [...seats.keys()],
  };
  round.ended.push(history);
  const recent = { players: seats.map((player) => player.recent) };
  const reason = await look(round, history, recent);
  figures.reasons[reason] = (figures.reasons[reason] ?? 0) + 1;
  if (isOver && !GOOD_REASONS.includes(reason)) {
    found(`${session} ended by ${reason}`, recent);
  }
  const verified = await backend.insist({ method: 'POST', path: `/v1/sessions/${session}/verify` });
  if (verified.json['ok'] === true) return;
  figures.unverified += 1;
  found(`I5: ${session} does not verify: ${JSON.stringify(verified.json)}`);
}

/** An end without a move is shown like one, and is elsewhere in the replay. */
function isMove({ action }: LoggedMove): boolean {
  return typeof action !== 'object' || action === null || !('forfeit' in action);
}

/** Compares it with the log; returns the reason of its end. */
async function look(round: Round, history: MatchHistory, recent?: object): Promise<string> {
  const path = `/v1/sessions/${history.session}/replay`;
  const { status, json } = await round.backend.insist({ method: 'GET', path });
  if (status !== 200) {
    round.figures.lost += history.acked.length;
    round.found(`I1: ${history.session} is gone: ${status}`);
    return 'gone';
  }
  for (const finding of checkMatch(history, json['inputs'] as readonly LoggedMove[])) {
    if (finding.startsWith('I4')) round.figures.twice += 1;
    else round.figures.lost += 1;
    round.found(finding, { history, replay: json, ...recent });
  }
  const result = json['result'] as { readonly reason: string } | null;
  return result?.reason ?? 'not over';
}
