/** A call in each language. Loaded when a language other than the shell's is chosen. */

import type { Call, Schemas } from '../documents.ts';
import { makeCurl } from './curl.ts';
import { makeGo } from './go.ts';
import { makePython } from './python.ts';
import type { SampleRequest } from './sample-request.ts';
import { makeTypeScript } from './typescript.ts';

type Print = (request: SampleRequest, call: Call, schemas: Schemas, origin: string) => string;

/** By language. `origin` is the service's. */
export const PRINTERS: ReadonlyMap<string, Print> = new Map<string, Print>([
  ['sh', makeCurl],
  ['ts', makeTypeScript],
  ['py', makePython],
  ['go', makeGo],
]);
