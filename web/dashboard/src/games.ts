/** The games of this service, for lists and filters. */

export interface GameInfo {
  readonly game: string;
  readonly isShipped: boolean;
  readonly rulesVersion: number;
  readonly hasBot: boolean;
  /** For an operator's rules; null if the last hour had none. */
  readonly slowCalls: {
    readonly count: number;
    readonly longestMs: number;
    readonly lastAt: string;
  } | null;
}
