/** What is said of long work while it goes on: lines on standard error, for people only. */

/** Says what begins now. */
export type Progress = (what: string) => void;

export function makeProgress(asJson: boolean): Progress {
  return (what) => {
    if (!asJson) process.stderr.write(`${what} …\n`);
  };
}
