/** Which matches a month had: more in the evening and on the weekend, and more each week. */

import type { Games } from '../../games/games.ts';
import type { MatchType } from '../../match/record.ts';
import type { KeyMode } from '../../tenancy/tenant.ts';
import { SAMPLE_BOTS, type SampleBot } from './bots.ts';
import type { Chance } from './chance.ts';
import type { Course } from './match.ts';
import { type Person, skillAt } from './people.ts';
import { drawVerdict } from './verdicts.ts';
import type { PastMatch } from './write-match.ts';

export const DAYS = 30;
export const DAY_MS = 86_400_000;
export const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** Matches of a usual day in live mode. */
const MATCHES_A_DAY = 10;
/** Test mode was tried in the last days. */
const TEST_MATCHES = 14;
const TEST_DAYS = 3;
/** Of the matches of a game that has a bot, those that it plays. */
const BOT_SHARE = 0.3;
/** Matches that are being played as it is written. */
const UNDER_WAY = 4;

/** How much is going on at a time, 0 to about 1.5: nights are quiet, evenings are not. */
export function bustleAt(at: number): number {
  const date = new Date(at);
  const hour = date.getUTCHours() + date.getUTCMinutes() / 60;
  const evening = 0.5 + 0.5 * Math.cos(((hour - 20) / 24) * 2 * Math.PI);
  const day = date.getUTCDay();
  return (0.12 + evening) * (day === 0 || day === 6 ? 1.3 : 1);
}

/** Games by how often they are played. */
const SHARES: Readonly<Record<string, number>> = {
  tictactoe: 4,
  connect4: 8,
  checkers: 5,
  ludo: 5,
  pool: 3,
  'fight-arena': 3,
};

/** In the order in which they were created. */
export function planMonth(
  games: Games,
  people: readonly Person[],
  now: number,
  chance: Chance,
): readonly PastMatch[] {
  const from = now - DAYS * DAY_MS;
  const known = games.ids().filter((id) => SHARES[id] !== undefined);
  const drawn = known.flatMap((id) => Array.from({ length: SHARES[id]! }, () => id));
  // Each game occurs, whatever the draw.
  const gameOf = (n: number): string => known[n] ?? chance.pick(drawn);
  const match = (n: number, at: number, mode: KeyMode, course: Course): PastMatch => {
    const game = gameOf(n);
    const { min, default: usual } = games.find(game)!.game.seats;
    const seats = chance.fraction() < 0.6 ? Math.max(2, min) : usual;
    const bot = course === 'under way' ? null : drawBot(game, chance);
    const seated = draw(people, bot === null ? seats : seats - 1, chance);
    const matchType: MatchType =
      bot !== null ? 'bot' : chance.fraction() < 0.7 ? 'matchmaking' : 'private';
    const part = (at - from) / (DAYS * DAY_MS);
    const skills = seated.map((person) => skillAt(person, part));
    return {
      mode,
      game,
      matchType,
      at,
      course,
      people: seated,
      bot,
      skills: bot === null ? skills : [...skills, bot.skill],
      verdict: mode === 'live' ? drawVerdict(at, chance) : null,
      waitMs: Math.round(1_500 + chance.duration(matchType === 'private' ? 20_000 : 6_000)),
      until: now - 1,
    };
  };
  const live = times(from, now - HOUR_MS, MATCHES_A_DAY * DAYS, chance).map((at, n) =>
    match(n, at, 'live', courseOf(chance)),
  );
  const test = times(now - TEST_DAYS * DAY_MS, now - HOUR_MS, TEST_MATCHES, chance).map((at, n) =>
    match(n, at, 'test', courseOf(chance)),
  );
  const turns = known.filter((id) => games.find(id)!.game.ticks === undefined);
  const open = turns.slice(0, UNDER_WAY).map((game) => {
    const at = now - Math.round((4 + 10 * chance.fraction()) * MINUTE_MS);
    return match(known.indexOf(game), at, 'live', 'under way');
  });
  return [...live, ...test, ...open].toSorted((a, b) => a.at - b.at);
}

function courseOf(chance: Chance): Course {
  const draw = chance.fraction();
  if (draw < 0.08) return 'resigned';
  return draw < 0.13 ? 'left' : 'played';
}

/** The times between two, dense where there is much activity. */
function times(from: number, to: number, count: number, chance: Chance): readonly number[] {
  const found: number[] = [];
  while (found.length < count) {
    const at = Math.round(from + chance.fraction() * (to - from));
    const growth = 0.6 + (0.4 * (at - from)) / (to - from);
    if (chance.fraction() * 1.5 < bustleAt(at) * growth) found.push(at);
  }
  return found.toSorted((a, b) => a - b);
}

/** The game's bot, which some matches have. */
function drawBot(game: string, chance: Chance): SampleBot | null {
  const bot = SAMPLE_BOTS.find((each) => each.game === game);
  return bot !== undefined && chance.fraction() < BOT_SHARE ? bot : null;
}

/** Different people; the first of them play most. */
function draw(people: readonly Person[], count: number, chance: Chance): readonly Person[] {
  const left = [...people];
  const place = (): number => Math.floor(left.length * chance.fraction() * chance.fraction());
  return Array.from({ length: count }, () => left.splice(place(), 1)[0]!);
}
