/** A call in each language. Loaded when a language other than the shell's is chosen. */

import type { Call, Schemas } from '../documents.ts';
import { makeCurl } from './curl.ts';
import { makeGo } from './go.ts';
import { makePython } from './python.ts';
import { makeSampleRequest } from './sample-request.ts';
import { makeTypeScript } from './typescript.ts';

/** By language. `origin` is where the service is. */
export function makeCallSamples(
  call: Call,
  schemas: Schemas,
  origin: string,
): ReadonlyMap<string, string> {
  const request = makeSampleRequest(call, schemas, origin);
  return new Map([
    ['sh', makeCurl(request)],
    ['ts', makeTypeScript(call, request, schemas, origin)],
    ['py', makePython(request)],
    ['go', makeGo(request)],
  ]);
}
