/** The choice of when the secret before a rotation ends. */

import type { Field } from './form.tsx';

/** Seconds, and the same in words. */
const OVERLAPS = [
  ['0', 'at once'],
  ['3600', 'in an hour'],
  ['86400', 'in a day'],
  ['604800', 'in 7 days'],
] as const;

export function overlapField(secret: 'key' | 'secret'): Field {
  return {
    name: 'overlap',
    label: 'The old secret ends',
    value: '86400',
    options: OVERLAPS,
    hint: `Choose “at once” if the ${secret} has leaked.`,
  };
}
