/** Pong on screen: the rules run here ahead of the server, and what they come to is drawn with every picture. */

import type { BoardHost, BoardState, BoardText, BoardView, Prediction } from '@matchd/game/board';
import type { PongState } from './rules.ts';
import { FIELD, game, HELD } from './rules.ts';

/** A field that is wider than high has no use for a square. */
export const fillsRoom = true;

/** Keys by their place on the keyboard. */
const KEYS: Readonly<Record<string, number>> = {
  ArrowUp: HELD.up,
  KeyW: HELD.up,
  ArrowDown: HELD.down,
  KeyS: HELD.down,
};
/** Pixels of the picture for each unit of the field. */
const SHARPNESS = 2;
const PADDLE_WIDTH = 10;

const STYLE = `
.pg { display: flex; flex-direction: column; gap: 12px; align-items: center; justify-content: center; }
.pg-field { width: min(100%, calc((100cqh - 80px) * 16 / 9)); border-radius: var(--mp-radius); outline: none; }
.pg-field:focus-visible { outline: 3px solid var(--focus); outline-offset: 3px; }
.pg-keys { display: flex; gap: 12px; }
.pg-key { width: 110px; min-height: 58px; user-select: none; -webkit-user-select: none; touch-action: none; }
.pg-keys[hidden] { display: none; }
`;

/** All that the board's functions work on. */
interface Table {
  readonly host: BoardHost;
  readonly field: HTMLCanvasElement;
  readonly element: HTMLElement;
  readonly buttons: HTMLElement;
  /** What is held down, by the key or the finger that holds it. */
  readonly held: Map<string, number>;
  readonly prediction: Prediction<PongState> | null;
  state: BoardState<PongState, never> | null;
  shown: PongState | null;
}

export function makeBoard(host: BoardHost): BoardView<PongState, never> {
  host.style(STYLE);
  const field = document.createElement('canvas');
  field.className = 'pg-field';
  field.width = FIELD.width * SHARPNESS;
  field.height = FIELD.height * SHARPNESS;
  field.tabIndex = 0;
  field.setAttribute('role', 'img');
  field.setAttribute('aria-label', host.t('board'));
  const held = new Map<string, number>();
  const buttons = document.createElement('div');
  buttons.className = 'pg-keys';
  buttons.append(
    makeButton(host.t('up'), HELD.up, held),
    makeButton(host.t('down'), HELD.down, held),
  );
  const element = document.createElement('div');
  element.className = 'pg';
  element.append(field, buttons);
  const table: Table = {
    host,
    field,
    element,
    buttons,
    held,
    prediction: host.live?.predict<PongState>(game) ?? null,
    state: null,
    shown: null,
  };
  followKeys(table);
  return { element, render: (state) => render(table, state) };
}

/** What it takes, as nobody ever has the turn. */
export function hint({ view }: { readonly view: PongState }, t: BoardText): string {
  return t('goal', { count: view.goal });
}

const isPlaying = ({ state, prediction }: Table): boolean =>
  prediction !== null && state !== null && state.seat !== null && state.result === null;

function render(table: Table, state: BoardState<PongState, never>): void {
  const isFirst = table.state === null;
  table.state = state;
  table.buttons.hidden = !isPlaying(table);
  if (isFirst) requestAnimationFrame(() => draw(table));
}

/** One picture, and then the next, as long as the board is there. */
function draw(table: Table): void {
  const { state, prediction, held, element } = table;
  if (!element.isConnected) {
    prediction?.stop();
    return;
  }
  const mask = isPlaying(table) ? [...held.values()].reduce((all, each) => all | each, 0) : 0;
  const predicted = state?.result === null ? prediction?.frame(mask) : prediction?.confirmed;
  const next = predicted ?? state?.view ?? null;
  if (next !== null) {
    if (table.shown !== null) hear(table, table.shown, next);
    table.shown = next;
    paint(table.field, next);
  }
  requestAnimationFrame(() => draw(table));
}

/** What has happened between two pictures. */
function hear({ host }: Table, before: PongState, after: PongState): void {
  const seat = after.scores.findIndex((score, each) => score > before.scores[each]!);
  if (seat !== -1) {
    const [first, second] = after.scores as [number, number];
    host.say(host.t('scored', { name: host.nameOf(seat), first, second }));
    host.sound('fall');
  } else if (Math.sign(after.ball.vx) !== Math.sign(before.ball.vx)) host.sound('ball');
  else if (Math.sign(after.ball.vy) !== Math.sign(before.ball.vy)) host.sound('cushion', 0.6);
}

function paint(field: HTMLCanvasElement, { ball, paddles, scores }: PongState): void {
  const pen = field.getContext('2d')!;
  const style = getComputedStyle(field);
  const colour = (name: string): string => style.getPropertyValue(`--mp-${name}`);
  const { width, height, paddleX, paddleHalf, ballHalf } = FIELD;
  pen.setTransform(SHARPNESS, 0, 0, SHARPNESS, 0, 0);
  pen.fillStyle = colour('board-dark');
  pen.fillRect(0, 0, width, height);
  pen.fillStyle = '#fffaf055';
  for (let y = 8; y < height; y += 26) pen.fillRect(width / 2 - 2, y, 4, 14);
  pen.font = `700 56px ${style.fontFamily}`;
  pen.textAlign = 'center';
  for (const [seat, score] of scores.entries()) {
    pen.fillText(`${score}`, width / 2 + (seat === 0 ? -70 : 70), 70);
  }
  for (const [seat, y] of paddles.entries()) {
    const x = seat === 0 ? paddleX - PADDLE_WIDTH : width - paddleX;
    pen.fillStyle = colour(seat === 0 ? 'piece-1' : 'piece-2');
    pen.fillRect(x, y - paddleHalf, PADDLE_WIDTH, paddleHalf * 2);
  }
  pen.fillStyle = '#fffaf0';
  pen.fillRect(ball.x - ballHalf, ball.y - ballHalf, ballHalf * 2, ballHalf * 2);
}

function followKeys(table: Table): void {
  const { held, element } = table;
  const follow = (event: KeyboardEvent): void => {
    const control = KEYS[event.code];
    if (control === undefined || !element.isConnected) return;
    if (event.type === 'keyup') held.delete(event.code);
    else if (isPlaying(table) && !isTaken(event)) {
      held.set(event.code, control);
      // Arrows would move the page.
      event.preventDefault();
    }
  };
  window.addEventListener('keydown', follow);
  window.addEventListener('keyup', follow);
  window.addEventListener('blur', () => held.clear());
}

/** Keys are for the page where it asks something, and with others held down. */
function isTaken({ altKey, ctrlKey, metaKey }: KeyboardEvent): boolean {
  return altKey || ctrlKey || metaKey || document.querySelector('dialog[open]') !== null;
}

/** A button for fingers; a press by anything else lasts for some ticks. */
function makeButton(label: string, control: number, held: Map<string, number>): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'button pg-key';
  button.textContent = label;
  button.addEventListener('pointerdown', (event) => {
    button.setPointerCapture(event.pointerId);
    held.set(label, control);
  });
  for (const kind of ['pointerup', 'pointercancel'] as const) {
    button.addEventListener(kind, () => held.delete(label));
  }
  button.addEventListener('click', (event) => {
    if (event.detail !== 0) return;
    held.set(label, control);
    setTimeout(() => held.delete(label), 150);
  });
  return button;
}
