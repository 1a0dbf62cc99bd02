/** What a verification covers, in plain words, for readers of its result (rule S7c). */

export interface Coverage {
  /** Follows from the rules and the revealed seed: anybody can verify it. */
  readonly rules: readonly string[];
  /** Protected by the installation's signature only. */
  readonly signature: readonly string[];
  /** Could be changed unnoticed. */
  readonly notCovered: readonly string[];
}

/** For a stored session and a replay alike. */
const BY_RULES = [
  'game, variant, options and number of seats',
  'seed: it matches its commitment, and drew the seats that were drawn',
  'moves, ticks and everything else that was played: the order, and that the rules allow each',
  'random values: each follows from the seed',
  'final state',
  'result: who won, places and scores',
] as const;

const BY_SEAL = [
  'records of the log: each with its version and time',
  'players: which player id sat where, and who was a bot',
  'session: mode, match type, status, times, room code, metadata, theme and device checks',
] as const;

const NEVER_IN_A_SEAL = [
  'display names, and all else of a player but the id: they can be changed and erased',
  'which node holds the session, and when it wakes',
  'its rematch: what the players said of it, and which session it is',
  'ratings: what the match did to them',
] as const;

const BY_SIGNATURE = [
  'sessionId',
  'players: id, displayName and isBot',
  'v and at of each record, beyond their order',
  'result: durationMs, and why a match was aborted',
] as const;

/**
 * For a stored session. `isRedone`: today's rules could replay it. `isSealed`: it was compared with
 * its seal. `erasedSeats`: seats whose players can no longer be compared.
 */
export function coverageOfLog(
  isRedone: boolean,
  isSealed: boolean,
  erasedSeats: readonly number[],
): Coverage {
  const erased = erasedSeats.map((seat) => `player of seat ${seat}: erased`);
  return {
    rules: isRedone ? BY_RULES : [],
    signature: isSealed ? BY_SEAL : [],
    notCovered: [
      ...(isRedone ? [] : BY_RULES),
      ...(isSealed ? erased : BY_SEAL),
      ...NEVER_IN_A_SEAL,
    ],
  };
}

/** For a replay. `isSigned`: its signature was verified. */
export function coverageOfReplay(isRedone: boolean, isSigned: boolean): Coverage {
  return {
    rules: isRedone ? BY_RULES : [],
    signature: isSigned ? BY_SIGNATURE : [],
    notCovered: [...(isRedone || isSigned ? [] : BY_RULES), ...(isSigned ? [] : BY_SIGNATURE)],
  };
}
