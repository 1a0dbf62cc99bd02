/** The board of an operator's game: its own if it has one, else the generic one. */

import type { BoardModule as OwnModule } from '../../../../../game/src/board.ts';
import type { AnyGame, Json } from '../../../../../game/src/game.ts';
import type { Translate } from '../../i18n/translate.ts';
import type { BoardModule } from '../board-view.ts';
import { makeGenericBoard } from '../generic/generic.ts';
import { adoptStyle } from '../generic/style.ts';
import { titleOf } from '../title.ts';
import { fetchManifest, rulesFor, textsOf } from './manifest.ts';
import { wrapOwnBoard } from './own-board.ts';
import { importRules } from './rules.ts';
import { makeBoardText, makeKnownText } from './text.ts';

/** Rejects when a file that exists cannot be fetched. */
export async function loadOperatorBoard(game: string, t: Translate): Promise<BoardModule> {
  const manifest = await fetchManifest(game);
  if (manifest !== null) t.add(textsOf(manifest, t.language));
  adoptStyle();
  const known = makeKnownText(game, t);
  const file = manifest === null ? null : rulesFor(manifest, null);
  const { board = null, ticks = null, drawOffers = false } = manifest ?? {};
  let rules: AnyGame | null = null;
  const generic = makeGenericBoard({
    known,
    title: () => titleOf(game, t),
    ticks,
    async loadRules() {
      rules = file === null ? null : await importRules(file);
      return rules;
    },
    notation: (view, action, seat) =>
      rules === null ? null : writeAction(rules, view, action, seat),
  });
  const shown =
    board === null
      ? generic
      : wrapOwnBoard((await import(board)) as OwnModule, generic, makeBoardText(known, t.language));
  return { ...shown, drawOffers, runsByClock: ticks !== null };
}

/** In players' notation, if the rules can read this view. */
function writeAction(
  rules: AnyGame,
  view: unknown,
  action: unknown,
  seat: number | null,
): string | null {
  try {
    const text = rules.makeNotation(view as Json, action as Json);
    const read = rules.parseNotation(view as Json, text, seat ?? undefined);
    return JSON.stringify(read) === JSON.stringify(action) ? text : null;
  } catch {
    // A view is not a state, so rules may throw on it.
    return null;
  }
}
