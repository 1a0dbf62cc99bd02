/** What an operator may ask of tokens beyond the device itself. */

/** Things that are noted by default, and fail a check when they are required. */
export const REQUIREMENTS = ['binding', 'recognized_app', 'licensed_app'] as const;
export type Requirement = (typeof REQUIREMENTS)[number];

/** What was asked of a token: the empty set asks for a vouched-for device and no more. */
export type Requirements = ReadonlySet<Requirement>;
