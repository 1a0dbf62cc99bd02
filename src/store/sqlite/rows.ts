/** How rows are read in SQLite. */

import type { SQLInputValue } from 'node:sqlite';

export type Row = Record<string, SQLInputValue>;

/** Prepares a read. */
export type Prepare = (sql: string) => (...values: SQLInputValue[]) => Row[];
