/** A server survives every kind of database fault, each longer than a turn: no player loses time or a match. */

// @alone: it measures times, which parallel tests would stretch.

import { POSTGRES } from '../store-trouble/postgres-place.ts';
import { SQLITE } from '../store-trouble/sqlite-place.ts';
import { storeTroubleSuite } from '../store-trouble/suite.ts';

const LONG = { holdMs: 7_000, turnMs: 5_000 } as const;

storeTroubleSuite(SQLITE, LONG);
storeTroubleSuite(POSTGRES, LONG);
