/** `@matchd/sdk/client`: the client of a match, for browsers and programs. */

export type {
  PredictedRules,
  Prediction,
  PredictionStats,
  StateOf,
} from '../../../game/src/prediction.ts';
export type * from '../actions.ts';
export type {
  ClockFrame,
  CommandMessage,
  DrawStep,
  Emote,
  PlayerFrame,
  ResultFrame,
  Seat,
  SessionStatus,
} from '../frames/frames.ts';
export { parseTime } from '../frames/frames.ts';
export type { Series } from '../generated/api.ts';
export type * from '../generated/frames.ts';
export { EMOTES } from '../generated/frames.ts';
export type * from '../generated/games.ts';
export type * from '../generated/views.ts';
export type { Client, Committed, ConnectOptions, MatchSession } from './connect.ts';
export { CommandError, connect } from './connect.ts';
export type { Fight } from './fight.ts';
export type { ConnectionEvent, ConnectionStatus, FailReason, Rematch } from './link.ts';
export { ownNow } from './platform.ts';
export type { RetryCause } from './retry.ts';
export type { AnySessionView, SessionView } from './session-view.ts';
export { drawStepOf, isMove, playerAt } from './session-view.ts';
