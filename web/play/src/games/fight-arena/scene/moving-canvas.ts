/** A small canvas over one moving thing: uploading a large one takes most of a frame. */

import { h } from '../../../ui/dom.ts';
import { type Box, makeMovingPart, type Part } from './moving-part.ts';
import type { Pen } from './paint-fighter.ts';

/** The stage's position on the canvas. CSS pixels; the stage is in millimetres, y up. */
export interface View {
  readonly width: number;
  readonly height: number;
  /** Canvas pixels per CSS pixel. */
  readonly ratio: number;
  /** Pixels to a millimetre, and the positions of the stage's zero and its ground. */
  readonly scale: number;
  readonly zero: number;
  readonly ground: number;
}

export interface MovingCanvas {
  readonly element: HTMLCanvasElement;
  /** Covers the box of the stage, and returns a cleared pen in millimetres; null covers nothing. */
  cover(box: Box | null, view: View): Pen | null;
  /** Measures its size again. */
  reset(): void;
  /** The z-order: higher is nearer. */
  lift(level: number): void;
}

const NOTHING: Part = { x: 0, y: 0, width: 0, height: 0 };
/** Around the box: the width of a line's soft edge. */
const EDGE_PX = 2;

export function makeMovingCanvas(): MovingCanvas {
  const element = h('canvas', { class: 'fa-canvas' });
  const pen = element.getContext('2d')!;
  let moving = makeMovingPart();
  let part = NOTHING;
  let ratio = 0;
  let level = 0;
  const layOut = (next: Part, view: View): void => {
    if (next.width !== part.width || next.height !== part.height || view.ratio !== ratio) {
      ratio = view.ratio;
      element.width = Math.round(next.width * ratio);
      element.height = Math.round(next.height * ratio);
      element.style.width = `${next.width}px`;
      element.style.height = `${next.height}px`;
    }
    if (next.x !== part.x || next.y !== part.y) {
      element.style.transform = `translate(${next.x}px, ${next.y}px)`;
    }
    part = next;
  };
  return {
    element,
    reset() {
      moving = makeMovingPart();
    },
    cover(box, view) {
      if (element.hidden !== (box === null)) element.hidden = box === null;
      if (box === null) return null;
      const { scale, zero, ground } = view;
      const onScreen = {
        left: zero + box.left * scale - EDGE_PX,
        right: zero + box.right * scale + EDGE_PX,
        low: ground - box.high * scale - EDGE_PX,
        high: ground - box.low * scale + EDGE_PX,
      };
      layOut(moving.cover(onScreen, view), view);
      // Clear all of it, so that nothing of the previous frame remains.
      pen.setTransform(1, 0, 0, 1, 0, 0);
      pen.clearRect(0, 0, element.width, element.height);
      const zoom = ratio * scale;
      pen.setTransform(zoom, 0, 0, -zoom, ratio * (zero - part.x), ratio * (ground - part.y));
      return pen;
    },
    lift(next) {
      if (next === level) return;
      level = next;
      element.style.zIndex = String(next);
    },
  };
}
