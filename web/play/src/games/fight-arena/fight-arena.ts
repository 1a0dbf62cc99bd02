/** Fight arena on screen: plays the ticks that are due with what is held down, and draws what came of them. */

import type { Prediction } from '../../../../../game/src/prediction.ts';
import { fightArena } from '../../../../../src/games/fight-arena/fight-arena.ts';
import type { FightState, Round } from '../../../../../src/games/fight-arena/state.ts';
import { countWins, makeInitial } from '../../../../../src/games/fight-arena/state.ts';
import { fieldOf } from '../../field.ts';
import type { Key, Translate } from '../../i18n/translate.ts';
import type { Seat } from '../../protocol.ts';
import { winnersOf } from '../../result-words.ts';
import { h } from '../../ui/dom.ts';
import { movesFreely } from '../../ui/motion.ts';
import type { BoardHost, BoardModule, BoardState, BoardView } from '../board-view.ts';
import type { Presses } from '../presses.ts';
import { makePresses } from '../presses.ts';
import { bannerOf, standstillBanner } from './banner.ts';
import type { Effect } from './effects.ts';
import { newsOf } from './effects.ts';
import { readPads } from './gamepad.ts';
import type { Hud } from './hud.ts';
import { makeHud } from './hud.ts';
import { makeKeyHelp } from './key-help.ts';
import { followKeyboard } from './keyboard.ts';
import type { Pace } from './pace.ts';
import { makePace } from './pace.ts';
import { followTheme } from './palette.ts';
import type { Picture } from './picture.ts';
import { makePicture } from './picture.ts';
import { makePortrait } from './portrait.ts';
import type { Watch } from './standstill.ts';
import { makeWatch } from './standstill.ts';
import { makeTouch } from './touch.ts';

const MS_PER_TICK = 1_000 / 60;
/** What a fight looks like before anything is known of it. */
const BEFORE = makeInitial({ options: { roundSeconds: 99, roundsToWin: 2 } });
/** How long a shake lasts: what is left of it after a second. */
const CALM_DOWN = 0.0008;
/** While the page is hidden ticks are played this often, so that nothing stays held down. */
const HIDDEN_MS = 250;
/** What could not be fetched is asked for again after so long. */
const RETRY_MS = 2_000;
/** The corner is renewed this often. */
const LINE_MS = 500;
/** After the end the picture goes on for so long, and then rests. Seconds. */
const REST_S = 8;

/** All that the board's functions work on. */
interface Ring {
  readonly host: BoardHost;
  readonly element: HTMLElement;
  readonly picture: Picture;
  readonly hud: Hud;
  readonly presses: Presses;
  readonly pace: Pace;
  readonly watch: Watch;
  state: BoardState | null;
  fight: Prediction<FightState> | null;
  /** The state of the last picture, the one of a tick before it, and when that tick came. */
  shown: FightState;
  before: FightState;
  tickAt: number;
  effects: Effect[];
  shake: number;
  /** Seconds for which the match has been over. */
  overFor: number;
  lineAt: number;
  /** Rounds whose end, and whose beginning, has been told. */
  toldRounds: number;
  begunRounds: number;
  isRunning: boolean;
  /** The player wants little to move. */
  isCalm: boolean;
}

function makeBoard(host: BoardHost): BoardView {
  const { t } = host;
  const presses = makePresses();
  const picture = makePicture();
  const hud = makeHud(t);
  const pace = makePace((sharpness) => picture.setSharpness(sharpness));
  for (const [name, value] of [
    ['tabindex', '0'],
    ['role', 'application'],
    ['aria-label', t('fight.board')],
  ] as const) {
    picture.element.setAttribute(name, value);
  }
  const stage = h('div', { class: 'fa-stage' }, picture.element, hud.element, hud.words);
  const touch = makeTouch(presses, t);
  const element = h('div', { class: 'board fa' }, stage, touch, makeKeyHelp(t));
  const ring: Ring = {
    host,
    element,
    picture,
    hud,
    presses,
    pace,
    watch: makeWatch(() => awayName(ring)),
    state: null,
    fight: null,
    shown: BEFORE,
    before: BEFORE,
    tickAt: 0,
    effects: [],
    shake: 0,
    overFor: 0,
    lineAt: 0,
    toldRounds: 0,
    begunRounds: 0,
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

async function openFight(ring: Ring): Promise<void> {
  try {
    ring.fight = (await ring.host.live?.predict(fightArena, stateOf)) ?? null;
  } catch {
    // Its part of the SDK could not be fetched: the network may be back by then.
    setTimeout(() => void openFight(ring), RETRY_MS);
  }
}

/** A view tells beside the state how many rounds were won. */
function stateOf(view: unknown): FightState {
  const { roundsWon: _, ...state } = view as FightState & { readonly roundsWon: unknown };
  return state;
}

const mayFight = ({ state, element }: Ring): boolean =>
  state !== null && state.seat !== null && state.result === null && element.isConnected;

function render(ring: Ring, next: BoardState): void {
  if (next.result === null || ring.state?.result == null) ring.overFor = 0;
  ring.state = next;
  ring.element.classList.toggle('is-playing', mayFight(ring));
  ring.isCalm = !movesFreely();
  run(ring);
}

function refresh(ring: Ring): void {
  ring.picture.refresh();
  run(ring);
}

function run(ring: Ring): void {
  if (ring.isRunning) return;
  ring.isRunning = true;
  requestAnimationFrame((now) => draw(ring, now));
}

/** One picture. Goes on with the next until there is nothing more to see. */
function draw(ring: Ring, now: number): void {
  const seconds = ring.pace.beat(now) * ring.host.pace();
  const after = playOn(ring);
  take(ring, after, now);
  settleEffects(ring, seconds);
  const { shown, before, state, pace, effects, shake, picture } = ring;
  const part = pace.isFast ? Math.min(1, (now - ring.tickAt) / MS_PER_TICK) : 1;
  // Once it is over nobody has to find himself any more.
  const seat = state?.result == null ? (state?.seat ?? null) : null;
  const winner = winnerOf(ring);
  const { isCalm } = ring;
  picture.paint({ state: shown, before, part, seat, effects, shake, seconds, isCalm, winner });
  showWords(ring, seconds, now);
  const isOver = state?.result != null && ring.host.live !== undefined;
  if (!ring.element.isConnected || (isOver && ring.overFor > REST_S)) ring.isRunning = false;
  else requestAnimationFrame((next) => draw(ring, next));
}

/** The state to be drawn: predicted while it goes on, as told when it is over, as given in a replay. */
function playOn(ring: Ring): FightState {
  const { fight, state, presses, shown } = ring;
  const told = readState(state?.view);
  if (state === null || fight === null) return told ?? shown;
  if (state.result !== null) return fight.confirmed ?? told ?? shown;
  readPads(presses);
  const played = fight.frame(mayFight(ring) ? presses.mask : 0) ?? told ?? shown;
  if (played.tick !== shown.tick) presses.settle();
  return played;
}

/** Of a match that ended in the middle of a round; rounds show their winners themselves. */
function winnerOf({ state, shown }: Ring): Seat | null {
  if (state?.result == null || shown.phase === 'over') return null;
  return winnersOf(state.result)[0] ?? null;
}

/** The view is the whole state; anything else is none. */
function readState(view: unknown): FightState | null {
  const fighters = fieldOf(view, 'fighters');
  return Array.isArray(fighters) && fighters.length === 2 ? (view as FightState) : null;
}

/** Finds out what is new in the picture, and lets it be seen and heard. */
function take(ring: Ring, after: FightState, now: number): void {
  const { shown, host } = ring;
  if (after === shown) return;
  if (after.tick !== shown.tick) {
    ring.before = after.tick - shown.tick === 1 ? shown : after;
    ring.tickAt = now;
  }
  ring.shown = after;
  // After a leap, as of a page that was hidden, nothing has happened before one's eyes.
  if (Math.abs(after.tick - shown.tick) > 30) {
    ring.effects = [];
    return;
  }
  const news = newsOf(shown, after);
  if (news.undone.length > 0) {
    ring.effects = ring.effects.filter(({ seat }) => !news.undone.includes(seat));
  }
  ring.effects.push(...news.effects);
  ring.shake = Math.max(ring.shake, news.shake);
  for (const { cue, loudness } of news.cues) host.sound(cue, loudness);
  if (shown.phase !== after.phase) soundPhase(ring, after);
  markActs(ring);
}

function soundPhase({ host }: Ring, { phase, rounds }: FightState): void {
  if (phase === 'fight') host.sound('gong');
  else if (phase !== 'ready') host.sound(rounds.at(-1)?.by === 'time' ? 'gong' : 'ko');
}

/** What both are about, for style sheets and tests: `free attack-light`. */
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

function showWords(ring: Ring, seconds: number, now: number): void {
  const { hud, shown, host, state, fight } = ring;
  const names = [host.nameOf(0), host.nameOf(1)];
  hud.show(shown, names);
  if (shown.phase === 'over' || state?.result != null) ring.overFor += seconds;
  hud.call(callOf(ring, names, now));
  if (fight?.confirmed != null) tellRounds(ring, fight.confirmed);
  if (now - ring.lineAt < LINE_MS) return;
  ring.lineAt = now;
  const stats = fight?.stats ?? null;
  if (stats === null || host.live === undefined) hud.tell(null);
  else hud.tell({ ...stats, roundTripMs: host.live.roundTripMs() });
}

function callOf({ fight, host, shown, state, watch, overFor }: Ring, names: string[], now: number) {
  const isOver = state?.result != null;
  if (host.live !== undefined && !isOver) {
    // Before the first state has come the page itself says what is waited for.
    if (fight?.confirmed == null) return null;
    const standstill =
      shown.phase === 'over' ? null : watch.look(shown.tick, fight.resumesInMs, now);
    if (standstill !== null) return standstillBanner(standstill, host.t);
  }
  // Whoever gives up ends it in the middle of a round.
  return isOver && shown.phase !== 'over' ? null : bannerOf(shown, names, overFor, host.t);
}

/** Rounds are told of once they are certain. */
function tellRounds(ring: Ring, certain: FightState): void {
  const { host } = ring;
  const { rounds, phase } = certain;
  if (rounds.length > ring.toldRounds) {
    host.say(roundWords(rounds.at(-1)!, rounds.length, countWins(certain), host));
  }
  ring.toldRounds = rounds.length;
  const number = rounds.length + 1;
  if (phase !== 'ready' || ring.begunRounds === number) return;
  ring.begunRounds = number;
  host.say(host.t('fight.round', { number }));
}

const ROUND_WORDS: Readonly<Record<Round['by'], Key>> = {
  knockout: 'fight.sayKo',
  time: 'fight.sayTime',
  double_knockout: 'fight.sayEven',
  equal_health: 'fight.sayEven',
};

function roundWords(
  { winner, by }: Round,
  number: number,
  [first, second]: readonly [number, number],
  { t, nameOf }: BoardHost,
): string {
  const name = winner === null ? '' : nameOf(winner);
  return t(ROUND_WORDS[by], { number, name, first, second });
}

/** Who is missing, of the players that are not this one. */
function awayName({ host, state }: Ring): string | null {
  if (host.live === undefined || state === null) return null;
  const away = host.live.awaySeat();
  return away === null ? null : host.nameOf(away);
}

function hint({ view }: { readonly view: unknown }, t: Translate): string | null {
  const rounds = fieldOf(view, 'roundsToWin');
  return typeof rounds === 'number' ? t('fight.goal', { count: rounds }) : null;
}

export const fightBoard: BoardModule = {
  makeBoard,
  makePiece: makePortrait,
  pieceName: (seat, t) => t(seat === 0 ? 'fight.piece0' : 'fight.piece1'),
  describeMove: () => '',
  runsByClock: true,
  hint,
};
