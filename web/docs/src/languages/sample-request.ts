/** A call with example values, as the samples of all languages send it. */

import type { Call, Schemas } from '../documents.ts';
import { exampleOf } from '../example.ts';

const JSON_TYPE = 'application/json';

export interface SampleRequest {
  readonly method: string;
  /** With the required parameters of the query. */
  readonly path: string;
  readonly url: string;
  /** Null if it needs no key. */
  readonly needsKey: boolean;
  /** Absent where the call takes none. */
  readonly body?: unknown;
  /** The response is read line by line, as it arrives. */
  readonly isStream: boolean;
}

/** `origin` is where the service is. */
export function makeSampleRequest(call: Call, schemas: Schemas, origin: string): SampleRequest {
  const { method, operation, answers } = call;
  const path = fillPath(call, schemas);
  const schema = operation.requestBody?.content?.[JSON_TYPE]?.schema;
  const types = answers.flatMap(([, { content = {} }]) => Object.keys(content));
  return {
    method,
    path,
    url: origin + path,
    needsKey: operation.security.length > 0,
    ...(schema === undefined ? null : { body: exampleOf(schema, schemas) }),
    isStream: types.some((type) => type !== JSON_TYPE && !type.endsWith('+json')),
  };
}

function fillPath({ path, parameters }: Call, schemas: Schemas): string {
  const inPath = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const parameter = parameters.find((each) => each.in === 'path' && each.name === name);
    return encodeURIComponent(String(exampleOf(parameter?.schema ?? {}, schemas, name)));
  });
  const query = Object.entries(requiredQuery(parameters, schemas)).map(
    ([name, value]) => `${name}=${encodeURIComponent(String(value))}`,
  );
  return query.length === 0 ? inPath : `${inPath}?${query.join('&')}`;
}

/** Values of the required query parameters. */
export function requiredQuery(
  parameters: Call['parameters'],
  schemas: Schemas,
): Readonly<Record<string, unknown>> {
  const required = parameters.filter((each) => each.in === 'query' && each.required === true);
  return Object.fromEntries(
    required.map(({ name, schema }) => [name, exampleOf(schema, schemas, name)]),
  );
}
