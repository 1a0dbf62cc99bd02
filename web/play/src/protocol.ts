/** What the page takes of the SDK: the one door through which it talks to the server. */

export type {
  ActionOf,
  Client,
  ClockFrame,
  CommandMessage,
  ConnectionEvent,
  ConnectionStatus,
  DrawStep,
  Emote,
  Fight,
  Game,
  MatchSession,
  PlayerFrame,
  ResultFrame,
  Seat,
  ServerFrame,
  SessionStatus,
  SessionView,
  UpdateFrame,
} from '../../../sdk/src/client/index.ts';
export {
  connect,
  drawStepOf,
  EMOTES,
  isMove,
  ownNow,
  parseTime,
  playerAt,
} from '../../../sdk/src/client/index.ts';
