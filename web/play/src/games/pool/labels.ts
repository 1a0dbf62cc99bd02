/** Numbers next to balls that are too small to show them. Pure; pixels. */

interface Spot {
  readonly n: number;
  readonly x: number;
  readonly y: number;
}

/** Half the size of a number of two digits. */
const HALF_WIDTH = 7;
const HALF_HEIGHT = 6;
/** Tried in this order: above to the right first. */
const SIDES = [
  [1, -1],
  [-1, -1],
  [1, 1],
  [-1, 1],
  [0, -1],
  [0, 1],
  [1, 0],
  [-1, 0],
] as const;
/** A number in a diagonal position can be nearer to the round ball. */
const CORNER = 0.75;

/** A position for each ball's number that covers no ball and no other number; a ball amid others may get none. */
export function placeLabels(
  balls: readonly Spot[],
  radius: number,
  width: number,
  height: number,
): readonly Spot[] {
  const labels: Spot[] = [];
  for (const { n, x, y } of balls) {
    if (n === 0) continue;
    const places = SIDES.map(([dx, dy]) => {
      const gap = radius * (dx !== 0 && dy !== 0 ? CORNER : 1);
      return { n, x: x + dx * (gap + HALF_WIDTH), y: y + dy * (gap + HALF_HEIGHT) };
    });
    const free = places.find(
      (place) =>
        place.x >= HALF_WIDTH &&
        place.y >= HALF_HEIGHT &&
        place.x <= width - HALF_WIDTH &&
        place.y <= height - HALF_HEIGHT &&
        balls.every((ball) => !covers(place, ball, radius)) &&
        labels.every((other) => !meets(place, other)),
    );
    if (free !== undefined) labels.push(free);
  }
  return labels;
}

/** Whether the number at a place covers the ball. */
function covers(place: Spot, ball: Spot, radius: number): boolean {
  const dx = Math.max(0, Math.abs(place.x - ball.x) - HALF_WIDTH + 1);
  const dy = Math.max(0, Math.abs(place.y - ball.y) - HALF_HEIGHT + 1);
  return dx * dx + dy * dy < radius * radius;
}

const meets = (a: Spot, b: Spot): boolean =>
  Math.abs(a.x - b.x) < 2 * HALF_WIDTH && Math.abs(a.y - b.y) < 2 * HALF_HEIGHT;
