/** The view in which a match is replayed: its board, its players, and the transport below. */

import type { AnyGame } from '../../../../game/src/game.ts';
import type { Replay } from '../../../../src/match/replay/replay-form.ts';
import type { BoardModule, BoardView } from '../games/board-view.ts';
import { titleOf } from '../games/title.ts';
import { watchedStateOf } from '../games/watched-state.ts';
import type { Translate } from '../i18n/translate.ts';
import type { Model } from '../model.ts';
import { seatName } from '../model.ts';
import type { Seat, SessionView } from '../protocol.ts';
import { makeAnnouncer } from '../ui/announcer.ts';
import { h, setText } from '../ui/dom.ts';
import { makePlates } from '../ui/plates.ts';
import type { Sound } from '../ui/sound.ts';
import { makeStatusBar } from '../ui/status-bar.ts';
import type { Arrival, Film, Strip } from './film.ts';
import { makeFilm } from './film.ts';
import { listenForKeys } from './keys.ts';
import type { Reel } from './reel.ts';
import { makeReel } from './reel.ts';
import { lineAt, sessionAt } from './shown-session.ts';
import { readSpeed, storeSpeed } from './stored-speed.ts';
import type { Transport } from './transport.ts';
import { makeTransport } from './transport.ts';

/** The part of the players' thinking time that is shown, ms: long waits are shortened. */
const THOUGHT_MS_MIN = 500;
const THOUGHT_MS_MAX = 1_500;

export interface RoomOptions {
  readonly replay: Replay;
  readonly engine: AnyGame;
  readonly board: BoardModule;
  /** The seat at the bottom. */
  readonly nearest: Seat;
  readonly sound: Sound;
  /** Buttons next to the transport. */
  readonly others: readonly HTMLElement[];
}

export interface Room {
  /** The page's contents, in order. */
  readonly elements: readonly HTMLElement[];
  /** Moves the focus to the play button. */
  focus(): void;
  play(): void;
  close(): void;
}

/** The state that the room's functions share. */
interface Stage {
  readonly options: RoomOptions;
  readonly t: Translate;
  readonly reel: Reel;
  readonly film: Film;
  readonly table: HTMLElement;
  readonly plates: ReturnType<typeof makePlates>;
  readonly status: ReturnType<typeof makeStatusBar>;
  readonly announcer: ReturnType<typeof makeAnnouncer>;
  readonly transport: Transport;
  view: BoardView | null;
  /** The requested frame; null while nothing runs. */
  frameRequest: number | null;
}

export function makeRoom(t: Translate, options: RoomOptions): Room {
  const { replay, engine, board } = options;
  const reel = makeReel(engine, replay, options.nearest);
  const film = makeFilm(stripOf(reel, board), (arrival) => show(stage, arrival), readSpeed());
  const stage: Stage = {
    options,
    t,
    reel,
    film,
    table: h('main', { class: 'table' }),
    plates: makePlates(t),
    status: makeStatusBar(t, { retryNow() {}, acceptDraw() {}, declineDraw() {} }),
    announcer: makeAnnouncer(),
    transport: makeTransport(t, reel.last, options.others, {
      toggle: () => (film.isPlaying ? film.pause() : film.play()),
      step: film.step,
      seek: film.seek,
      setSpeed(speed) {
        storeSpeed(speed);
        film.setSpeed(speed);
      },
    }),
    view: null,
    frameRequest: null,
  };
  const heading = h('h1', { class: 'only-heard' });
  setText(heading, `${t('replay.title')}: ${titleOf(replay.game, t)}`);
  const deafen = listenForKeys(film);
  show(stage, 'jump');
  return {
    elements: [
      h('header', { class: 'header' }, heading, stage.plates.element),
      stage.status.element,
      stage.table,
      stage.transport.element,
      stage.announcer.element,
    ],
    focus: () => stage.transport.playButton.focus(),
    play: film.play,
    close() {
      deafen();
      if (stage.frameRequest !== null) cancelAnimationFrame(stage.frameRequest);
    },
  };
}

/** How long each scene is shown: its animation, and a part of the thinking time. */
function stripOf(reel: Reel, board: BoardModule): Strip {
  const { scenesPerSecond } = reel;
  return {
    last: reel.last,
    stayMs(index) {
      if (scenesPerSecond !== null) return 1_000 / scenesPerSecond;
      const { at, view } = reel.scene(index);
      const next = index < reel.last ? reel.scene(index + 1).at : null;
      const thought = at === null || next === null ? 0 : next - at;
      const seen = index === 0 ? 0 : (board.showingMs?.(view) ?? 0);
      return seen + Math.min(THOUGHT_MS_MAX, Math.max(THOUGHT_MS_MIN, thought));
    },
  };
}

function show(stage: Stage, arrival: Arrival | null): void {
  const { film, transport } = stage;
  if (arrival !== null) showScene(stage, arrival);
  transport.show(film, placeOf(stage));
  if (film.isPlaying && stage.frameRequest === null) runFrames(stage, performance.now());
}

/** Advances the film with every frame while it plays. */
function runFrames(stage: Stage, before: number): void {
  stage.frameRequest = requestAnimationFrame((now) => {
    // Its display must not start a second loop.
    stage.film.advance(Math.max(0, now - before));
    stage.frameRequest = null;
    if (stage.film.isPlaying) runFrames(stage, now);
  });
}

function showScene(stage: Stage, arrival: Arrival): void {
  const { options, reel, film, plates, status, announcer, t } = stage;
  const { replay, board } = options;
  const isByClock = reel.scenesPerSecond !== null;
  // That there is no such scene is known only after requesting it.
  reel.scene(film.index);
  const index = Math.min(film.index, reel.last);
  const session = sessionAt(replay, reel, index);
  const before = index === 0 || isByClock ? null : sessionAt(replay, reel, index - 1);
  renderBoard(stage, session, arrival === 'jump' && !isByClock);
  const model = modelOf(session, board);
  const now = { own: 0, server: 0 };
  plates.update(model, now);
  const fault = film.index > index || (isByClock && index === reel.last) ? reel.fault : null;
  const line = lineAt(session, before, { scene: reel.scene(index), fault }, board, t);
  status.show(line);
  // Playing is not announced; stepping announces each move.
  if (!film.isPlaying && !isByClock) {
    announcer.announce([line.text, line.detail].filter((text) => text !== null).join('. '));
  }
}

/** A jump in time needs a new board, because there is no animation from the old position. */
function renderBoard(stage: Stage, session: SessionView, isNew: boolean): void {
  const { options, t, announcer, film } = stage;
  if (stage.view === null || isNew) {
    stage.view = options.board.makeBoard({
      t,
      play() {},
      say: (text) => announcer.announce(text),
      sound: (cue, loudness) => options.sound.play(cue, loudness),
      pace: () => film.pace,
      nameOf: (seat) => seatName(session, seat, t),
    });
    stage.table.replaceChildren(stage.view.element);
  }
  stage.view.render(watchedStateOf(session, options.nearest));
  for (const moved of stage.view.element.getAnimations({ subtree: true })) {
    moved.playbackRate = film.pace || 1;
  }
}

function modelOf(session: SessionView, board: BoardModule): Model {
  return {
    connection: { kind: 'closed' },
    online: true,
    session,
    board,
    sending: null,
    refusal: null,
    refused: null,
    watchers: null,
  };
}

/** `5 / 21`, or the elapsed time of a real-time game; and the same for screen readers. */
function placeOf({ reel, film, t }: Stage): { readonly short: string; readonly long: string } {
  const { index, last } = film;
  if (reel.scenesPerSecond === null) {
    return { short: `${index} / ${last}`, long: t('replay.place', { index, last }) };
  }
  const timeOf = (scene: number): number => (scene / reel.scenesPerSecond!) * 1_000;
  const [passed, whole] = [timeOf(index), timeOf(last)];
  return {
    short: `${t.countdown(passed)} / ${t.countdown(whole)}`,
    long: t('replay.place', { index: t.spoken(passed), last: t.spoken(whole) }),
  };
}
