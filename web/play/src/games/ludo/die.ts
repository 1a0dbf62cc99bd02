/** The die shows the server's roll. It tumbles until the roll is known. */

import { makeFocusRing, svg } from '../../ui/dom.ts';
import { movesFreely } from '../../ui/motion.ts';

const SIDE = 54;
const PIP = 5.4;
const GAP = 14.5;
/** How long a roll is animated, and how often the face changes meanwhile. Milliseconds. */
export const ROLL_MS = 620;
const FACE_MS = 70;

/** Columns and rows of the pips of each face. */
const FACES: readonly (readonly (readonly [number, number])[])[] = [
  [],
  [[0, 0]],
  [
    [-1, -1],
    [1, 1],
  ],
  [
    [-1, -1],
    [0, 0],
    [1, 1],
  ],
  [
    [-1, -1],
    [1, -1],
    [-1, 1],
    [1, 1],
  ],
  [
    [-1, -1],
    [1, -1],
    [0, 0],
    [-1, 1],
    [1, 1],
  ],
  [
    [-1, -1],
    [1, -1],
    [-1, 0],
    [1, 0],
    [-1, 1],
    [1, 1],
  ],
];

export interface Die {
  readonly element: SVGGElement;
  /** Places it with this face up; null for a die that nobody has rolled. */
  show(x: number, y: number, face: number | null): void;
  /** Tumbles and stops at the face. Resolves when it is at rest. */
  roll(x: number, y: number, face: number): Promise<void>;
}

function makeCube(pips: SVGElement) {
  return svg(
    'g',
    { class: 'lu-cube' },
    svg('rect', {
      class: 'lu-die-shade',
      x: -SIDE / 2,
      y: 4 - SIDE / 2,
      width: SIDE,
      height: SIDE,
      rx: 13,
    }),
    svg('rect', {
      class: 'lu-die-face',
      x: -SIDE / 2,
      y: -SIDE / 2,
      width: SIDE,
      height: SIDE,
      rx: 13,
    }),
    pips,
  );
}

/** `pace` is the speed of the animation, as a board's host defines it. */
export function makeDie(pace: () => number): Die {
  const pips = svg('g', { class: 'lu-pips' });
  const cube = makeCube(pips);
  const element = svg(
    'g',
    { class: 'lu-die', role: 'button', tabindex: '0' },
    // The whole centre of the yard accepts the press.
    svg('rect', { class: 'lu-die-hit', x: -58, y: -58, width: 116, height: 116, rx: 16 }),
    cube,
    makeFocusRing({
      x: -SIDE / 2 - 7,
      y: -SIDE / 2 - 7,
      width: SIDE + 14,
      height: SIDE + 14,
      rx: 18,
    }),
  );
  const put = (x: number, y: number): void => {
    element.style.transform = `translate(${x}px, ${y}px)`;
  };
  const turnUp = (face: number | null): void => {
    const wanted = String(face);
    if (pips.dataset['face'] === wanted) return;
    pips.dataset['face'] = wanted;
    pips.replaceChildren(
      ...(FACES[face ?? 0] ?? []).map(([x, y]) =>
        svg('circle', { cx: x * GAP, cy: y * GAP, r: PIP }),
      ),
    );
  };
  let rolls = 0;
  return {
    element,
    show(x, y, face) {
      rolls += 1;
      put(x, y);
      turnUp(face);
    },
    async roll(x, y, face) {
      rolls += 1;
      const own = rolls;
      put(x, y);
      if (movesFreely()) {
        cube.animate(
          [
            { transform: 'translate(0, 0) rotate(0)' },
            { transform: 'translate(-6px, -26px) rotate(200deg)', offset: 0.35 },
            { transform: 'translate(5px, 0) rotate(380deg)', offset: 0.7 },
            { transform: 'translate(0, -7px) rotate(470deg)', offset: 0.85 },
            { transform: 'translate(0, 0) rotate(540deg)' },
          ],
          { duration: ROLL_MS / (pace() || 1), easing: 'ease-out' },
        );
        for (let at = 0; at < ROLL_MS - FACE_MS && own === rolls; at += FACE_MS) {
          turnUp(1 + (((at / FACE_MS) * 5 + face) % 6));
          await pause(FACE_MS, pace);
        }
      }
      if (own === rolls) turnUp(face);
    },
  };
}

/** Waits; an animation that is paused meanwhile still ends. */
export function pause(ms: number, pace: () => number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms / (pace() || 1));
  });
}
