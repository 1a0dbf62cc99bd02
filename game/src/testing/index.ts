/** `@matchd/game/testing`: contract checks, random play and hostile input for any test runner. */

export type { ContractCheck } from './contract-checks.ts';
export { gameContractChecks } from './contract-checks.ts';
export type { Tally } from './hostile-input.ts';
export type { Many, ManyPlayed, Measured } from './many-games.ts';
export { measureMany, playMany, throwHostileInput } from './many-games.ts';
export type { Input, Play, PlayedGame, Position } from './random-play.ts';
export { makeAllSetups, makeSetups, playRandomly } from './random-play.ts';
export type { Contract } from './subject.ts';
