/**
 * The backend of the demo's app, as a tenant would write it: it has the test key and uses the SDK.
 */

import { type GameId, SEATS_MAX } from '../../../game/src/game.ts';
import type { CreateSession, SessionWithTokens } from '../../../sdk/src/server/index.ts';
import { createMatchd, MatchdError } from '../../../sdk/src/server/index.ts';
import type { Games } from '../../games/games.ts';
import type {
  DemoAnswer,
  DemoBackend,
  DemoBody,
  DemoGame,
  DemoMatch,
  DemoTitle,
} from '../../http/site/demo.ts';
import type { GameLibrary } from '../../runtime/games/library.ts';

/** Seats on the page that shows a match from all of them. */
const SEATS_SHOWN_MAX = 4;

/** `url` is where the service listens on this machine. */
export function makeDemoBackend(
  url: string,
  key: string,
  library: Pick<GameLibrary, 'games' | 'current'>,
): DemoBackend {
  const { games } = library;
  const matchd = createMatchd({ url, key });
  const acts: Readonly<Record<string, (body: DemoBody) => Promise<object>>> = {
    games: () => Promise.resolve({ games: listGames(games, ownTitles(library)) }),
    matches: async (body) => presentMatch(await matchd.sessions.create(makeRequest(body))),
    tokens: ({ session, player }) => matchd.sessions.token(`${session}`, `${player}`),
  };
  return {
    ownGames: () => ownTitles(library),
    async openSeats(id) {
      const { game, bot } = games.find(id)!;
      const seats = game.seats.default;
      // More would not fit on one page: bots take the other seats, if there are any.
      const people = bot === null ? seats : Math.min(seats, SEATS_SHOWN_MAX);
      const who = people < seats ? { matchType: 'bot' } : null;
      const asked = { game: id, seats, players: makePlayers(people), ...who };
      const { players, playUrls } = await matchd.sessions.create(asked as CreateSession);
      return players.flatMap((player) => playUrls[`${player.id}`] ?? []);
    },
    async answer(name, body) {
      const act = Object.hasOwn(acts, name) ? acts[name]! : null;
      return act === null
        ? null
        : act(body).then((answer) => ({ status: 200, body: answer }), presentError);
    },
  };
}

function listGames(games: Games, titles: readonly DemoTitle[]): readonly DemoGame[] {
  return games.ids().map((id) => {
    const { game } = games.find(id)!;
    const { min, max } = game.seats;
    const variants = game.variants.map((name) => ({
      name,
      seats: game.variantSeats?.[name] ?? { min, max },
    }));
    const own = titles.find((each) => each.id === id);
    return { game: id, ...(own && { title: own.title }), variants };
  });
}

/** An operator's game is called what its English texts say, else by its id. */
function ownTitles({ current }: Pick<GameLibrary, 'current'>): readonly DemoTitle[] {
  return current().map(({ rules, strings }) => {
    const { id } = rules.game;
    return { id, title: strings?.['en']?.['name'] ?? titleFrom(id) };
  });
}

/** `rps-tournament` as `Rps tournament`. */
function titleFrom(id: GameId): string {
  return id.charAt(0).toUpperCase() + id.slice(1).replaceAll('-', ' ');
}

/**
 * Against bots of a level, or with a person for each seat. The service reports invalid settings.
 */
function makeRequest({ game, variant, seats, level }: DemoBody): CreateSession {
  const who =
    typeof level === 'string'
      ? { mode: 'training', seats, options: { botDifficulty: level } }
      : { seats, players: makePlayers(Number(seats ?? 2)) };
  return { game, variant, ...who } as CreateSession;
}

function makePlayers(count: number): object[] {
  return Array.from({ length: Math.min(count, SEATS_MAX) }, (_, seat) => ({
    id: `demo-${seat + 1}`,
    displayName: `Player ${seat + 1}`,
  }));
}

function presentMatch({ sessionId, players, playUrls }: SessionWithTokens): DemoMatch {
  const people = players.flatMap(({ id, displayName }) => {
    const playUrl = playUrls[`${id}`];
    return playUrl === undefined ? [] : { id: `${id}`, name: displayName ?? `${id}`, playUrl };
  });
  const [{ id: player, playUrl }, ...others] = people as [(typeof people)[0]];
  return {
    session: sessionId,
    player,
    playUrl,
    others: others.map(({ id, name, playUrl: own }) => ({ player: id, name, playUrl: own })),
  };
}

function presentError(error: unknown): DemoAnswer {
  // What the SDK does not even send: an id that would be a step of a path.
  if (error instanceof TypeError) return { status: 400, body: { error: error.message } };
  if (!(error instanceof MatchdError)) throw error;
  return { status: error.status || 503, body: { error: error.message } };
}
