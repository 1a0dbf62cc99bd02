/** How the benchmark's servers report that they are ready, and how they end. */

export interface Announcement {
  readonly url: string;
  readonly pid: number;
}

/** Prints the line the benchmark waits for. */
export function announce(ready: Announcement): void {
  console.log(JSON.stringify(ready));
}

/** The port, first of the command's arguments. */
export function portArgument(): number {
  const port = Number(process.argv[2]);
  if (!Number.isInteger(port)) throw new Error('the first argument is the port');
  return port;
}
