/** Reading untrusted input: the first step of every game's `parseAction`, and of saying what is wrong. */

/**
 * The value of an object's own field; undefined if there is none. Inherited fields and accessors
 * count as absent, so neither `__proto__` nor a getter has any effect. Never throws on JSON values.
 */
export function ownField(input: unknown, name: string): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return undefined;
  return Object.getOwnPropertyDescriptor(input, name)?.value;
}

/** What is wrong with a required field; null if nothing is. */
export function fieldFault(
  value: unknown,
  name: string,
  isGood: (value: unknown) => boolean,
  wanted: string,
): string | null {
  return isGood(value) ? null : `${name} has to be ${wanted}`;
}

/** The same for a whole number, both bounds included. */
export function wholeNumberFault(
  value: unknown,
  name: string,
  min: number,
  max: number,
): string | null {
  const isGood = (it: unknown) => Number.isInteger(it) && Number(it) >= min && Number(it) <= max;
  return fieldFault(value, name, isGood, `a whole number from ${min} to ${max}`);
}
