/** When the secret before a rotation ends: seconds, and in words. */

export const OVERLAPS = [
  ['0', 'at once'],
  ['3600', 'in an hour'],
  ['86400', 'in a day'],
  ['604800', 'in 7 days'],
] as const;
