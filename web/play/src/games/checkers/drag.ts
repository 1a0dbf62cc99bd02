/** Dragging a piece with mouse, pen or finger, as an alternative to pressing cells. */

/** A press becomes a drag after this distance. CSS pixels. */
const DRAG_PX = 6;

export interface DragActions {
  /** Whether the piece of this cell may be picked up. */
  canLift(cell: number): boolean;
  lift(cell: number): void;
  /** The piece follows; in units of the drawing. */
  carry(cell: number, x: number, y: number): void;
  drop(cell: number, x: number, y: number): void;
}

interface Held {
  readonly cell: number;
  readonly id: number;
  readonly x: number;
  readonly y: number;
  lifted: boolean;
}

export interface Drag {
  /** Whether this press ended a drag. */
  wasDragged(): boolean;
}

export function makeDrag(board: SVGSVGElement, actions: DragActions): Drag {
  let held: Held | null = null;
  let dragged = false;
  const at = (event: PointerEvent): readonly [number, number] => {
    const matrix = board.getScreenCTM()!.inverse();
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
    return [x, y];
  };
  board.addEventListener('pointerdown', (event) => {
    dragged = false;
    const found = (event.target as Element).closest<SVGElement>('[data-cell]');
    const cell = Number(found?.dataset['cell'] ?? -1);
    if (held !== null || event.button !== 0 || cell < 0 || !actions.canLift(cell)) return;
    held = { cell, id: event.pointerId, x: event.clientX, y: event.clientY, lifted: false };
  });
  board.addEventListener('pointermove', (event) => {
    if (held === null || event.pointerId !== held.id) return;
    if (!held.lifted) {
      if (Math.hypot(event.clientX - held.x, event.clientY - held.y) < DRAG_PX) return;
      held.lifted = true;
      board.setPointerCapture(held.id);
      actions.lift(held.cell);
    }
    actions.carry(held.cell, ...at(event));
  });
  const release = (event: PointerEvent, lands: boolean): void => {
    if (held === null || event.pointerId !== held.id) return;
    const { cell, lifted } = held;
    held = null;
    if (!lifted) return;
    dragged = true;
    const [x, y] = lands ? at(event) : [-1, -1];
    actions.drop(cell, x, y);
  };
  board.addEventListener('pointerup', (event) => release(event, true));
  board.addEventListener('pointercancel', (event) => release(event, false));
  return {
    wasDragged() {
      const was = dragged;
      dragged = false;
      return was;
    },
  };
}
