/** Deliveries against a live name server, by Node itself: `node live-resolver.test-main.ts`. Ends with 1 on a failure. */

import { liveCases } from '../contract/live-cases.ts';

for (const { name, run } of liveCases) {
  await run();
  console.log(`ok ${name}`);
}
// Sockets that are kept alive hold nothing up.
process.exit(0);
