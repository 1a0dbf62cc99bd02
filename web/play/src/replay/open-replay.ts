/** Opens a replay in place of the page: loads its code, and restores the page afterwards. */

import type { AnyGame } from '../../../../game/src/game.ts';
import type { Replay } from '../../../../src/match/replay/replay-form.ts';
import { verifyStepwise } from '../../../../src/match/replay/verify.ts';
import { makeFairButton } from '../fairness/fair-button.ts';
import { loadEngine } from '../games/engines.ts';
import { loadBoard } from '../games/index.ts';
import type { Translate } from '../i18n/translate.ts';
import type { Seat } from '../protocol.ts';
import { button } from '../ui/dom.ts';
import { makeIcon } from '../ui/icons.ts';
import { movesFreely } from '../ui/motion.ts';
import type { Sound } from '../ui/sound.ts';
import { makeSoundButton } from '../ui/sound-button.ts';
import { makeRoom } from './room.ts';
import { makeWayBack } from './way-back.ts';

export interface ReplayOptions {
  readonly root: HTMLElement;
  readonly t: Translate;
  readonly replay: Replay;
  readonly nearest: Seat;
  readonly sound: Sound;
  /** The commitment seen during the match: hex SHA-256 of the seed. */
  readonly commitment: string | null;
  /** The label of the button that returns to the page. */
  readonly leave: string;
}

/**
 * Resolves when it is shown; false when there are no rules for the game as it was played. Rejects when these cannot
 * be
 * downloaded. The page is restored after `left`.
 */
export async function openReplay(options: ReplayOptions, left: () => void): Promise<boolean> {
  const { root, t, replay, nearest, sound, commitment } = options;
  const { game: id } = replay;
  const [engine, board] = await Promise.all([loadEngine(id, replay), loadBoard(id, t)]);
  if (engine === null || !isSetUpFor(engine, replay)) return false;
  const before = [...root.childNodes];
  const { shows, game } = root.dataset;
  const fair = makeFairButton(t, () => ({ commitment, replay: () => Promise.resolve(replay) }));
  const leave = (): void => {
    room.close();
    root.replaceChildren(...before);
    Object.assign(root.dataset, { shows: shows ?? 'match', game: game ?? '' });
    delete root.dataset['room'];
    left();
  };
  const back = button('button is-small', options.leave, makeIcon('leave'), () => goBack());
  const others = [makeSoundButton(t, sound), fair, back];
  const room = makeRoom(t, { replay, engine, board, nearest, sound, others });
  Object.assign(root.dataset, { shows: 'match', game: replay.game, room: 'replay' });
  root.setAttribute('aria-busy', 'false');
  root.replaceChildren(...room.elements);
  const goBack = makeWayBack(leave);
  // In a frame of another page the focus stays where the reader has it.
  if (document.hasFocus()) room.focus();
  // With reduced motion the player starts it.
  if (movesFreely()) room.play();
  return true;
}

/** Other versions of the rules, and invalid settings, cannot be shown. */
function isSetUpFor(engine: AnyGame, replay: Replay): boolean {
  const { done, value } = verifyStepwise(engine, replay).next();
  return done !== true || value.failed !== 'game';
}
