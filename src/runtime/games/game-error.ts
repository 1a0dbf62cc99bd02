/** Faults of an operator's games, described with the file's name. */

/** Games that cannot be loaded; the message has a line for each that says which file and why. */
export class GamesError extends Error {
  readonly faults: readonly string[];
  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.name = 'GamesError';
    this.faults = faults;
  }
}

/** One fault of one file. `file` is a path below the folder of games. */
export function gameFault(file: string, what: string): GamesError {
  return new GamesError([`${file}: ${what}`]);
}

/** The first line of the thrown error. */
export function messageOf(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return text.split('\n')[0]!;
}
