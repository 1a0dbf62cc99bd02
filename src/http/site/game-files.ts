/** The browser files of an operator's games: the index of one game, its rules, its board. */

import type { AnyGame, GameId } from '../../../game/src/game.ts';
import type { GameManifest, GameStrings } from '../../contract/game-manifest.ts';
import type { Asset } from './site.ts';
import { FILE_HEADERS, makeAsset, notFound, SHARED_HEADERS, send } from './site.ts';

/** A version of an operator's game, as far as browsers need it. */
export interface OwnGame {
  readonly rules: {
    readonly game: Pick<AnyGame, 'id' | 'rulesVersion' | 'drawOffers' | 'ticks'>;
    /** Hash of the sources, in hex: identifies the version's code. */
    readonly hash: string | null;
  };
  /** The version of new matches; its board and texts apply to all versions. */
  readonly isCurrent: boolean;
  /** The rules as an ES module that exports `game`. */
  readonly browserRules: string;
  /** The board as an ES module; null when the game has none. */
  readonly browserBoard: string | null;
  /** Texts by language and name. */
  readonly strings: GameStrings | null;
}

/** Answers a path below `/play/games/`; null for every other. */
export type GameFiles = (request: Request, pathname: string) => Response | null;

type FileName = 'rules' | 'board';

const GAMES_PATH =
  /^\/play\/games\/([a-z][a-z0-9-]{1,31})(?:\.json|\/([\w-]{22})\/(rules|board)\.js)$/;
const SCRIPT_TYPE = 'text/javascript; charset=utf-8';
const JSON_TYPE = 'application/json; charset=utf-8';

/** `loaded` is called for each request, because development reloads games while it runs. */
export function makeGameFiles(loaded: () => readonly OwnGame[]): GameFiles {
  const assetsOf = makeAssetCache();
  const find = (id: GameId): readonly OwnGame[] =>
    loaded().filter(({ rules }) => rules.game.id === id);
  return (request, pathname) => {
    const [matched, id, digest, name] = GAMES_PATH.exec(pathname) ?? [];
    if (matched === undefined) return null;
    const versions = find(id!);
    if (versions.length === 0) return notFound();
    if (digest === undefined) {
      const manifest = JSON.stringify(makeManifest(versions, assetsOf));
      return send(request, makeAsset(JSON_TYPE, new TextEncoder().encode(manifest)), {
        ...SHARED_HEADERS,
        'Cache-Control': 'no-cache',
      });
    }
    const asset = versions
      .map((version) => assetsOf(version)[name as FileName])
      .find((each) => each !== null && digestOf(each) === digest);
    return asset == null ? notFound() : send(request, asset, FILE_HEADERS);
  };
}

type GameAssets = Readonly<Record<FileName, Asset | null>>;

/** Once per version: compressing a bundle takes a while. */
function makeAssetCache(): (game: OwnGame) => GameAssets {
  const known = new WeakMap<OwnGame, GameAssets>();
  const make = (text: string): Asset => makeAsset(SCRIPT_TYPE, new TextEncoder().encode(text));
  return (game) => {
    const { browserRules, browserBoard } = game;
    const assets = known.get(game) ?? {
      rules: make(browserRules),
      board: browserBoard === null ? null : make(browserBoard),
    };
    known.set(game, assets);
    return assets;
  };
}

function makeManifest(
  versions: readonly OwnGame[],
  assetsOf: (game: OwnGame) => GameAssets,
): GameManifest {
  const current = versions.find(({ isCurrent }) => isCurrent) ?? versions.at(-1)!;
  const { id, drawOffers, ticks } = current.rules.game;
  const { board } = assetsOf(current);
  const inOrder = [...versions.filter((each) => each !== current), current];
  return {
    id,
    drawOffers,
    ticks:
      ticks === undefined ? null : { ticksPerSecond: ticks.ticksPerSecond, maskMax: ticks.maskMax },
    board: board === null ? null : pathOf(id, 'board', board),
    rules: inOrder.map((each) => ({
      version: each.rules.game.rulesVersion,
      hash: each.rules.hash,
      path: pathOf(id, 'rules', assetsOf(each).rules!),
    })),
    strings: current.strings ?? {},
  };
}

/** The name contains the content's hash, so the content never changes. */
function pathOf(id: GameId, name: FileName, asset: Asset): string {
  return `/play/games/${id}/${digestOf(asset)}/${name}.js`;
}

function digestOf({ etag }: Asset): string {
  return etag.slice(1, -1);
}
