/** The games of this service, for lists and filters. */

export interface GameInfo {
  readonly game: string;
  readonly isShipped: boolean;
  readonly rulesVersion: number;
  readonly hasBot: boolean;
  /** Of an operator's rules; null where the last hour had none. */
  readonly slowCalls: {
    readonly count: number;
    readonly longestMs: number;
    readonly lastAt: string;
  } | null;
}
