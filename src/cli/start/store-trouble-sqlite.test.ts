/** A server on SQLite goes through every trouble of its file, each for a moment. */

import { SQLITE } from '../../../e2e/store-trouble/sqlite-place.ts';
import { storeTroubleSuite } from '../../../e2e/store-trouble/suite.ts';

storeTroubleSuite(SQLITE, { holdMs: 0, turnMs: 60_000 });
