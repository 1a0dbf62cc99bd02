/** Fight arena on screen: plays the due ticks with the held input, and draws the result. */

import { fightArena } from '../../../../../src/games/fight-arena/fight-arena.ts';
import type { FightState } from '../../../../../src/games/fight-arena/state.ts';
import { makeInitial } from '../../../../../src/games/fight-arena/state.ts';
import { fieldOf } from '../../field.ts';
import type { Translate } from '../../i18n/translate.ts';
import type { ResultFrame, Seat } from '../../protocol.ts';
import { winnersOf } from '../../result-words.ts';
import { h } from '../../ui/dom.ts';
import { movesFreely } from '../../ui/motion.ts';
import { makeSettings } from '../../ui/settings.ts';
import { adoptSheet } from '../adopt-sheet.ts';
import type { BoardHost, BoardModule, BoardState, BoardView } from '../board-view.ts';
import { makePresses } from '../presses.ts';
import { readPads } from './controls/gamepad.ts';
import { makeKeyHelp } from './controls/key-help.ts';
import { followKeyboard } from './controls/keyboard.ts';
import { makeSheetButton } from './controls/sheet-button.ts';
import { makeTouch } from './controls/touch.ts';
import { makeTraining } from './controls/training.ts';
import { isSameEnd, makeEpilogue } from './epilogue.ts';
import css from './fight-arena.css' with { type: 'text' };
import { makeHud } from './hud.ts';
import { makePace } from './pace.ts';
import type { Ring } from './ring.ts';
import { followSettings, mayTrain } from './ring.ts';
import { eventsOf } from './scene/effects.ts';
import { followTheme } from './scene/palette.ts';
import { makePicture } from './scene/picture.ts';
import { makePortrait } from './scene/portrait.ts';
import { awayName, showWords } from './show-words.ts';
import type { Lines } from './stall-watch.ts';
import { makeStallWatch } from './stall-watch.ts';

adoptSheet(css);

const MS_PER_TICK = 1_000 / 60;
/** The stage before any state is known. */
const BEFORE = makeInitial({ options: { roundSeconds: 99, roundsToWin: 2 } });
/** How long a shake lasts: the part left after a second. */
const CALM_DOWN = 0.0008;
/** The interval at which ticks are played while the page is hidden, so that no input stays held. */
const HIDDEN_MS = 250;
/** Delay before a failed download is retried. */
const RETRY_MS = 2_000;
/** After the end the animation continues for this long, and then stops. Seconds. */
const REST_S = 8;
/** A page opened this long after the end shows it without motion. Milliseconds. */
const LONG_AGO_MS = 60_000;
/** The end of a match is shown for this long before the page announces it: the fall and the win pose. */
const ENDING_MS = 3_200;
/** The page's timer may fire this much before the board's own time has elapsed. */
const SOONER_MS = 100;

/** The connections as the page knows them. The ring exists once this is called. */
function linesOf({ live }: BoardHost, ring: () => Ring): Lines {
  return {
    isConnected: () => live?.isConnected() !== false,
    awayName: () => awayName(ring()),
    isAwaited: () => live?.isAwaited() === true,
  };
}

function makeBoard(host: BoardHost): BoardView {
  const { t } = host;
  const presses = makePresses();
  const picture = makePicture();
  const hud = makeHud(t);
  const pace = makePace((sharpness) => picture.setSharpness(sharpness));
  makeReachable(picture.element, t);
  const settings = host.settings ?? makeSettings();
  const training = makeTraining(t);
  hud.low.append(training.data);
  hud.element.append(...training.inputs);
  const sheet = makeSheetButton(t, settings, () => mayTrain(ring));
  const stage = h(
    'div',
    { class: 'fa-stage' },
    picture.element,
    hud.element,
    hud.words,
    sheet.button,
  );
  const touch = makeTouch(presses, t);
  const element = h('div', { class: 'board fa' }, stage, touch, makeKeyHelp(t), sheet.place);
  const ring: Ring = {
    host,
    element,
    picture,
    hud,
    presses,
    pace,
    watch: makeStallWatch(linesOf(host, () => ring)),
    training,
    display: followSettings(settings),
    state: null,
    fight: null,
    shown: BEFORE,
    before: BEFORE,
    tickAt: 0,
    effects: [],
    shake: 0,
    overFor: 0,
    overSince: null,
    endsAt: null,
    epilogue: null,
    lineAt: 0,
    announcedRounds: 0,
    calledRound: 0,
    isRunning: false,
    isCalm: !movesFreely(),
  };
  new ResizeObserver(() => refresh(ring)).observe(picture.element);
  followTheme(() => refresh(ring));
  followKeyboard(presses, () => mayFight(ring));
  void openFight(ring);
  setInterval(() => {
    if (document.visibilityState === 'hidden') ring.fight?.frame(0);
  }, HIDDEN_MS);
  return {
    element,
    render: (next) => render(ring, next),
  };
}

/** The stage takes the keyboard focus, and has a label for screen readers. */
function makeReachable(picture: HTMLElement, t: Translate): void {
  picture.setAttribute('tabindex', '0');
  picture.setAttribute('role', 'application');
  picture.setAttribute('aria-label', t('fight.board'));
}

async function openFight(ring: Ring): Promise<void> {
  try {
    ring.fight = (await ring.host.live?.predict(fightArena, stateOf)) ?? null;
  } catch {
    // Its part of the SDK could not be downloaded: the network may be back later.
    setTimeout(() => void openFight(ring), RETRY_MS);
  }
}

/** A view has the number of rounds won in addition to the state. */
function stateOf(view: unknown): FightState {
  const { roundsWon: _, ...state } = view as FightState & { readonly roundsWon: unknown };
  return state;
}

const mayFight = ({ state, element }: Ring): boolean =>
  state !== null && state.seat !== null && state.result === null && element.isConnected;

function render(ring: Ring, next: BoardState): void {
  // A page opened after the end shows it without motion.
  if (ring.state === null && next.result !== null) ring.overSince = -LONG_AGO_MS;
  ring.state = next;
  ring.element.classList.toggle('is-playing', mayFight(ring));
  ring.element.classList.toggle('is-ending', isEnding(ring));
  ring.isCalm = !movesFreely();
  run(ring);
}

/** Until the page shows the result the layout is fixed: a stage that grows during the fall would jump. */
function isEnding(ring: Ring): boolean {
  const { state, overSince } = ring;
  if (state?.result == null || state.seat === null || endingMs(state.result) === 0) return false;
  ring.endsAt ??=
    overSince === null || overSince > 0 ? performance.now() + ENDING_MS - SOONER_MS : 0;
  return performance.now() < ring.endsAt;
}

function refresh(ring: Ring): void {
  ring.picture.refresh(ring.hud.barsBottom());
  run(ring);
}

function run(ring: Ring): void {
  if (ring.isRunning) return;
  ring.isRunning = true;
  requestAnimationFrame((now) => draw(ring, now));
}

/** Draws a frame, and further ones until nothing changes any more. */
function draw(ring: Ring, now: number): void {
  const passed = ring.pace.beat(now);
  const played = playOn(ring);
  if (played.phase !== 'over' && ring.state?.result == null) ring.overSince = null;
  // By the clock, like the page's own timer: late frames are skipped.
  else ring.overSince ??= now;
  ring.overFor = ring.overSince === null ? 0 : (now - ring.overSince) / 1_000;
  // The ending runs at full speed, also in a paused replay.
  const seconds = ring.overSince === null ? passed * ring.host.pace() : passed;
  advance(ring, playOut(ring, played), now);
  settleEffects(ring, seconds);
  const { shown, before, state, pace, effects, shake, picture } = ring;
  const part = pace.isFast ? Math.min(1, (now - ring.tickAt) / MS_PER_TICK) : 1;
  // After the end no player has to find their own fighter.
  const seat = state?.result == null ? (state?.seat ?? null) : null;
  const winner = winnerOf(ring);
  const { isCalm } = ring;
  const showsBoxes = mayTrain(ring) && ring.display.hitBoxes;
  const seen = { state: shown, before, part, seat, effects, shake, seconds };
  picture.paint({ ...seen, isCalm, winner, showsBoxes });
  showWords(ring, now);
  const isOver = state?.result != null && ring.host.live !== undefined;
  if (!ring.element.isConnected || (isOver && ring.overFor > REST_S)) ring.isRunning = false;
  else requestAnimationFrame((next) => draw(ring, next));
}

/** The state to draw: predicted during the match, the server's after it, or the replay's. */
function playOn(ring: Ring): FightState {
  const { fight, state, presses, shown } = ring;
  const viewed = readState(state?.view);
  if (state === null || fight === null) return viewed ?? shown;
  if (state.result !== null) return fight.confirmed ?? viewed ?? shown;
  readPads(presses);
  const played = fight.frame(mayFight(ring) ? presses.mask : 0) ?? viewed ?? shown;
  if (played.tick !== shown.tick) presses.settle();
  return played;
}

/** For a finished match: the animation of its ending. */
function playOut(ring: Ring, state: FightState): FightState {
  if (state.phase !== 'over') {
    ring.epilogue = null;
    return state;
  }
  if (ring.epilogue === null || !isSameEnd(ring.epilogue.end, state)) {
    ring.epilogue = makeEpilogue(state);
  }
  return ring.epilogue.stateAt(ring.overFor);
}

/** For a match that ended during a round; rounds show their winners themselves. */
function winnerOf({ state, shown }: Ring): Seat | null {
  if (state?.result == null || shown.phase === 'over') return null;
  return winnersOf(state.result)[0] ?? null;
}

/** The view is the whole state; anything else is invalid. */
function readState(view: unknown): FightState | null {
  const fighters = fieldOf(view, 'fighters');
  return Array.isArray(fighters) && fighters.length === 2 ? (view as FightState) : null;
}

/** Finds events between two frames, and shows and plays them. */
function advance(ring: Ring, after: FightState, now: number): void {
  const { shown, host } = ring;
  if (after === shown) return;
  if (after.tick !== shown.tick) {
    ring.before = after.tick - shown.tick === 1 ? shown : after;
    ring.tickAt = now;
  }
  ring.shown = after;
  // After a jump in time, as of a hidden page, no events are shown.
  if (Math.abs(after.tick - shown.tick) > 30) {
    ring.effects = [];
    markActs(ring);
    return;
  }
  const events = eventsOf(shown, after);
  if (events.undone.length > 0) {
    ring.effects = ring.effects.filter(({ seat }) => !events.undone.includes(seat));
  }
  ring.effects.push(...events.effects);
  ring.shake = Math.max(ring.shake, events.shake);
  for (const { cue, loudness } of events.cues) host.sound(cue, loudness);
  if (shown.phase !== after.phase) soundPhase(ring, after);
  markActs(ring);
}

function soundPhase({ host }: Ring, { phase, rounds }: FightState): void {
  if (phase === 'fight') host.sound('gong');
  else if (phase !== 'ready') host.sound(rounds.at(-1)?.by === 'time' ? 'gong' : 'ko');
}

/** Both fighters' acts, for style sheets and tests: `free attack-light`. */
function markActs({ element, shown }: Ring): void {
  const acts = shown.fighters.map(({ act, move }) => (move === null ? act : `${act}-${move}`));
  const marked = acts.join(' ');
  const { dataset } = element;
  if (dataset['acts'] !== marked) dataset['acts'] = marked;
  if (dataset['phase'] !== shown.phase) dataset['phase'] = shown.phase;
}

function settleEffects(ring: Ring, seconds: number): void {
  ring.shake *= CALM_DOWN ** seconds;
  if (ring.shake < 0.01) ring.shake = 0;
  for (const effect of ring.effects) effect.age += seconds;
  if (ring.effects.some(({ age, length }) => age >= length)) {
    ring.effects = ring.effects.filter(({ age, length }) => age < length);
  }
}

function hint({ view }: { readonly view: unknown }, t: Translate): string | null {
  const rounds = fieldOf(view, 'roundsToWin');
  return typeof rounds === 'number' ? t('fight.goal', { count: rounds }) : null;
}

/** After a resignation there is nothing more to animate. */
const endingMs = ({ reason }: ResultFrame): number =>
  reason.startsWith('rounds_') ? ENDING_MS : 0;

export const fightBoard: BoardModule = {
  makeBoard,
  makePiece: makePortrait,
  pieceName: (seat, t) => t(seat === 0 ? 'fight.piece0' : 'fight.piece1'),
  describeMove: () => '',
  runsByClock: true,
  hint,
  endingMs,
};
