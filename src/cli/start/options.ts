/** What the commands that run the service are called with. */

import type { Config } from '../../config.ts';

export interface DevOptions {
  /** `port` is where to begin looking; a busy one is skipped, which is reported. */
  readonly config: Config;
  /** Prints one line of JSON once the service is ready, instead of words for people. */
  readonly json: boolean;
  /** Writes a tenant with a month of sample data first. */
  readonly sampleData: boolean;
}

export interface ServeOptions {
  readonly config: Config & { readonly publicUrl: string };
  /** Serves from a data folder that `dev` has used (rule K1). */
  readonly adopt: boolean;
  readonly json: boolean;
}
