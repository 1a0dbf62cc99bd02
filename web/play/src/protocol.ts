/** The parts of the SDK that the page uses: its only way to the server. */

export type {
  ActionOf,
  // The page shows views of any game, and reads each without trust.
  AnySessionView as SessionView,
  Client,
  CommandMessage,
  ConnectionEvent,
  ConnectionStatus,
  Emote,
  Game,
  KnownGame,
  MatchSession,
  PlayerFrame,
  Rematch,
  ResultFrame,
  Seat,
  ServerFrame,
  SessionStatus,
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
