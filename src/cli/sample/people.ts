/** The players of the sample tenant: each has a skill that their ratings come to show. */

import type { Chance } from './chance.ts';

export interface Person {
  readonly id: string;
  readonly displayName: string;
  /** 0 to 1 at the beginning of the month. */
  readonly skill: number;
  /** What the month adds to it. */
  readonly learns: number;
}

const NAMES = [
  'Ada',
  'Bruno',
  'Chiara',
  'Dario',
  'Elif',
  'Farid',
  'Greta',
  'Hugo',
  'Ines',
  'Jonas',
  'Kemal',
  'Lena',
  'Mateo',
  'Nora',
  'Oskar',
  'Paula',
  'Quentin',
  'Rosa',
  'Samir',
  'Tilda',
  'Uma',
  'Viktor',
  'Wanda',
  'Yara',
] as const;

export function makePeople(chance: Chance): readonly Person[] {
  return NAMES.map((displayName, n) => ({
    id: `player_${displayName.toLowerCase()}`,
    displayName,
    skill: 0.1 + 0.75 * chance.fraction(),
    // One in four practises.
    learns: n % 4 === 0 ? 0.5 : 0,
  }));
}

/** `part` of the month has passed, 0 to 1. */
export function skillAt({ skill, learns }: Person, part: number): number {
  return Math.min(1, skill + learns * part);
}
