/** What an operator may ask of tokens beyond the device itself. */

/** Things that are noted by default, and fail a check when they are required. */
export const REQUIREMENTS = ['binding', 'recognized_app', 'licensed_app'] as const;
export type Requirement = (typeof REQUIREMENTS)[number];

/** The requirements for a token: the empty set requires a trusted device and no more. */
export type Requirements = ReadonlySet<Requirement>;
