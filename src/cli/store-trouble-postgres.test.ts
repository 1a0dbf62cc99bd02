/** A server on PostgreSQL goes through every trouble of its database, each for a moment. */

import { describe } from 'bun:test';
import { POSTGRES } from '../../e2e/store-trouble/postgres-place.ts';
import { storeTroubleSuite } from '../../e2e/store-trouble/suite.ts';
import { isPostgresHere } from '../testing/servers/postgres.ts';

describe.skipIf(!isPostgresHere())('a real database', () => {
  storeTroubleSuite(POSTGRES, { holdMs: 0, turnMs: 60_000 });
});
