/** A server on PostgreSQL goes through every trouble of its database, each for a moment. */

import { POSTGRES } from '../../../e2e/store-trouble/postgres-place.ts';
import { storeTroubleSuite } from '../../../e2e/store-trouble/suite.ts';

storeTroubleSuite(POSTGRES, { holdMs: 0, turnMs: 60_000 });
