/** A random shot or choice in pool, from what the view shows; the server may reject it. */

import { pickOne } from '../../game/src/bot.ts';
import type { Random } from '../../game/src/random.ts';
import { HEAD_STRING_X, X_MAX, Y_MAX } from '../../src/games/pool/physics/table.ts';

interface PoolView {
  readonly balls: readonly { readonly n: number; readonly x: number; readonly y: number }[];
  readonly inHand: string | null;
  readonly choices: readonly string[];
}

export function anyShot(view: unknown, random: Random): object {
  const { balls, inHand, choices } = view as PoolView;
  if (choices.length > 0) return { choose: pickOne(choices, random) };
  const part = () => random.integer(1_001) / 1_000;
  const xMax = inHand === 'anywhere' ? X_MAX : HEAD_STRING_X;
  const place = { x: -X_MAX + part() * (X_MAX + xMax), y: (2 * part() - 1) * Y_MAX };
  const from = inHand === null ? balls.find(({ n }) => n === 0)! : place;
  const at = pickOne(
    balls.filter(({ n }) => n !== 0),
    random,
  );
  const aim = Math.atan2(at.y - from.y, at.x - from.x);
  const shot = { aim, speed: 2 + 6 * part(), side: 0, follow: 0, elevation: 0 };
  return inHand === null ? { shot } : { shot, place };
}
