/** The log: one JSON object per line, on standard error. */

import { pino } from 'pino';

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent';

/** The few calls the service makes. Fields come first, so that a line is found by its ids. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

const STANDARD_ERROR = 2;

/** Keys, tokens and seeds never reach a line, in whichever field they are. */
const REDACTED = ['authorization', 'key', 'token', 'seed', 'secret'].flatMap((name) => [
  name,
  `*.${name}`,
]);

export function makeLog(level: LogLevel): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: REDACTED, censor: '[redacted]' },
    },
    pino.destination({ fd: STANDARD_ERROR, sync: false }),
  );
}
