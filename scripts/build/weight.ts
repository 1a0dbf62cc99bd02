/**
 * The size of a built part compared with its target. A missed target is reported and never stops a
 * build.
 */

export interface Weight {
  /** What was built: `@matchd/sdk client`. */
  readonly name: string;
  /** Compressed. Bytes. */
  readonly bytes: number;
  /** What it should not exceed. Bytes. */
  readonly aim: number;
}

/** The mark by which `.ci/run` finds these lines in a log. */
const OVER = '*** OVER ***';

/** One line for each part over its aim. */
export function overAim(weights: readonly Weight[]): readonly string[] {
  return weights
    .filter(({ bytes, aim }) => bytes > aim)
    .map(({ name, bytes, aim }) => `${OVER} ${name}: ${bytes} B gzip, aim ${aim} B`);
}
