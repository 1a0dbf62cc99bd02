/**
 * Pig solved: the probability that the seat to move wins, by value iteration (T. Neller and C.
 * Presser, 2004).
 */

/** By own score, opponent's score and turn total. */
export interface PigWorth {
  roll(own: number, other: number, atStake: number): number;
  hold(own: number, other: number, atStake: number): number;
}

const SIDES = 6;
/** Until no value changes by more than this. */
const EXACT = 1e-6;

export function solvePig(goal: number): PigWorth {
  const values = new Float64Array(goal * goal * goal).fill(0.5);
  const place = (own: number, other: number, atStake: number): number =>
    (own * goal + other) * goal + atStake;
  const worth = (own: number, other: number, atStake: number): number =>
    own + atStake >= goal ? 1 : values[place(own, other, atStake)]!;
  const hold = (own: number, other: number, atStake: number): number =>
    own + atStake >= goal ? 1 : 1 - worth(other, own + atStake, 0);
  const roll = (own: number, other: number, atStake: number): number => {
    let sum = 1 - worth(other, own, 0);
    for (let die = 2; die <= SIDES; die += 1) sum += worth(own, other, atStake + die);
    return sum / SIDES;
  };
  for (let change = 1; change > EXACT; ) {
    change = 0;
    for (let own = 0; own < goal; own += 1) {
      for (let other = 0; other < goal; other += 1) {
        for (let atStake = 0; own + atStake < goal; atStake += 1) {
          const at = place(own, other, atStake);
          const better = Math.max(roll(own, other, atStake), hold(own, other, atStake));
          change = Math.max(change, Math.abs(better - values[at]!));
          values[at] = better;
        }
      }
    }
  }
  return { roll, hold };
}
