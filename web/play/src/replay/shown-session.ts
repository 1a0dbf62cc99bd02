/** A scene in the form of a session, so that the parts of the page show a replay like a match. Pure. */

import type { Replay } from '../../../../src/match/replay/replay-form.ts';
import { describeStep } from '../announcement.ts';
import type { BoardModule } from '../games/board-view.ts';
import type { Translate } from '../i18n/translate.ts';
import { seatName } from '../model.ts';
import type { Game, ResultFrame, SessionView } from '../protocol.ts';
import { isMove } from '../protocol.ts';
import { headlineOf, reasonOf } from '../result-words.ts';
import type { StatusLine } from '../status-line.ts';
import type { Reel, Scene } from './reel.ts';

/** The session at a scene: without a seat of the viewer, all players present, no clock running. */
export function sessionAt(replay: Replay, reel: Reel, index: number): SessionView {
  const scene = reel.scene(index);
  const isOver = index === reel.last && reel.fault === null && replay.result !== null;
  return {
    s: replay.sessionId,
    v: scene.v,
    game: replay.game as Game,
    variant: replay.variant,
    status: isOver ? 'ended' : 'active',
    seat: null,
    seats: replay.seats,
    players: replay.players.map((player) => ({ ...player, connected: true })),
    roomCode: null,
    turn: isOver ? null : scene.turn,
    acting: isOver ? [] : scene.acting,
    view: scene.view,
    legal: scene.legal,
    clock: null,
    turnAt: 0,
    deadline: null,
    endsAt: null,
    warned: null,
    drawOfferedBy: scene.drawOfferedBy,
    commitment: replay.fairness.commitment,
    graces: Array.from({ length: replay.seats }, () => null),
    lastMove: lastMoveAt(reel, index),
    // A replay has its result as a response has: the game's own fields next to the common ones.
    result: isOver ? (replay.result as unknown as ResultFrame) : null,
  };
}

/** The last action of the game; other events leave it unchanged. */
function lastMoveAt(reel: Reel, index: number): SessionView['lastMove'] {
  if (reel.scenesPerSecond !== null) return null;
  for (let n = index; n > 0; n -= 1) {
    const { v, step } = reel.scene(n);
    if (step !== null && isMove(step.action)) return { v, ...step };
  }
  return null;
}

/** The scene in one sentence, and what comes next. */
export function lineAt(
  session: SessionView,
  before: SessionView | null,
  { scene, fault }: { readonly scene: Scene; readonly fault: Reel['fault'] },
  board: BoardModule,
  t: Translate,
): StatusLine {
  const line = (tone: StatusLine['tone'], text: string, detail: string | null): StatusLine => ({
    tone,
    text,
    detail,
    offers: null,
  });
  if (fault !== null) {
    return line('bad', t('replay.fault'), t('fair.wrongAt', { v: String(fault.v) }));
  }
  if (session.result !== null) {
    const { result } = session;
    return line('done', headlineOf(session, result, t), reasonOf(session, result, t));
  }
  const sentences =
    scene.step === null ? [] : describeStep({ before, session, board }, scene.step, t);
  const next =
    session.turn === null
      ? null
      : t('status.theirTurn', { name: seatName(session, session.turn, t) });
  return sentences.length === 0
    ? line('calm', next ?? t('replay.title'), null)
    : line('calm', sentences.join(', '), next);
}
