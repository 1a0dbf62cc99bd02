/** The board of an operator's game: its own where it has one, else the one for any game. */

import type { BoardModule as OwnModule } from '../../../../../game/src/board.ts';
import type { Translate } from '../../i18n/translate.ts';
import type { BoardModule } from '../board-view.ts';
import { makeGenericBoard } from '../generic/generic.ts';
import { adoptStyle } from '../generic/style.ts';
import { titleOf } from '../title.ts';
import { fetchManifest, rulesFor, textsOf } from './manifest.ts';
import { wrapOwnBoard } from './own-board.ts';
import { importRules } from './rules.ts';
import { makeBoardText, makeKnownText } from './text.ts';

/** Rejects when something that is there cannot be fetched. */
export async function loadOperatorBoard(game: string, t: Translate): Promise<BoardModule> {
  const manifest = await fetchManifest(game);
  if (manifest !== null) t.add(textsOf(manifest, t.language));
  adoptStyle();
  const known = makeKnownText(game, t);
  const file = manifest === null ? null : rulesFor(manifest, null);
  const { board = null, ticks = null, drawOffers = false } = manifest ?? {};
  const generic = makeGenericBoard({
    known,
    title: () => titleOf(game, t),
    ticks,
    loadRules: async () => (file === null ? null : importRules(file)),
  });
  const shown =
    board === null
      ? generic
      : wrapOwnBoard((await import(board)) as OwnModule, generic, makeBoardText(known, t.language));
  return { ...shown, drawOffers, runsByClock: ticks !== null };
}
