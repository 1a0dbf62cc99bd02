/** Input that no game should accept: the contract suite passes it to `parseAction`. */

import fc from 'fast-check';
import type { Json } from '../game.ts';

/** Numbers that may confuse an integer field. */
const ODD_NUMBERS = [
  -0,
  -1,
  0.5,
  2 ** 31,
  2 ** 32,
  2 ** 53,
  1e308,
  5e-324,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
] as const;

/** Numbers that are often a field's bounds, or just past them. */
const nearNumber = fc.oneof(fc.constantFrom(...ODD_NUMBERS), fc.integer({ min: -1, max: 64 }));

/** Every kind of value in a program, and every kind of JSON. @internal */
export const anyJunk: fc.Arbitrary<unknown> = fc.oneof(
  fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true }),
  fc.anything({ withTypedArray: true, withSparseArray: true, withObjectString: true }),
  fc.jsonValue(),
  fc.constantFrom(() => 0, Symbol('junk'), new Proxy({}, {}), JSON.parse('{"__proto__":{}}')),
);

/** Actions with one error, or nearly one: some may still be actions. @internal */
export function corrupted(actions: readonly Json[]): fc.Arbitrary<unknown> {
  const value = fc.oneof(nearNumber, fc.integer(), fc.string(), anyJunk);
  return fc
    .tuple(fc.constantFrom(...actions), fc.constantFrom(...CORRUPTIONS), fc.nat(), value)
    .map(([action, corrupt, index, other]) => {
      if (typeof action !== 'object' || action === null) return [action];
      const keys = Object.keys(action);
      return corrupt({ ...action }, keys[index % keys.length] ?? '', other);
    });
}

type Corruption = (action: Record<string, unknown>, key: string, other: unknown) => unknown;

const CORRUPTIONS: readonly Corruption[] = [
  (action, key, other) => ({ ...action, [key]: other }),
  (action, key) => Object.fromEntries(Object.entries(action).filter(([name]) => name !== key)),
  (action, key) => ({ ...action, [key]: String(action[key]) }),
  (action, key) => ({ ...action, [key]: [action[key]] }),
  (action, key) => ({ ...action, [key.toUpperCase()]: action[key], [key]: undefined }),
  (action, key, other) => ({ ...action, [`${key}2`]: other }),
  (action) => [action],
  (action) => JSON.stringify(action),
];

/** Objects that show all the right fields without owning them as data. None is an action. */
export function disguised(action: Json): readonly unknown[] {
  if (typeof action !== 'object' || action === null || Array.isArray(action)) return [];
  const getters = Object.keys(action).map((key) => [key, { enumerable: true, get: refuseToRun }]);
  return [
    Object.create(action),
    JSON.parse(`{"__proto__":${JSON.stringify(action)}}`),
    Object.defineProperties({}, Object.fromEntries(getters)),
    Object.assign([], action),
    new Map(Object.entries(action)),
    { toJSON: () => action, valueOf: () => action },
  ];
}

function refuseToRun(): never {
  throw new Error('A getter of the input ran');
}
