/** A call as a line to copy into a shell. */

import type { Call, Schemas } from './documents.ts';
import { exampleOf } from './example.ts';

const BODY_TYPE = 'application/json';

/** `origin` is where the service is; the key is taken from the shell's `MATCHD_KEY`. */
export function makeCurl(
  { method, path, operation, parameters }: Call,
  schemas: Schemas,
  origin: string,
): string {
  const inPath = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const parameter = parameters.find((each) => each.in === 'path' && each.name === name);
    return encodeURIComponent(String(exampleOf(parameter?.schema ?? {}, schemas, name)));
  });
  const query = parameters
    .filter((each) => each.in === 'query' && each.required === true)
    .map(
      ({ name, schema }) =>
        `${name}=${encodeURIComponent(String(exampleOf(schema, schemas, name)))}`,
    );
  const url = `${origin}${inPath}${query.length === 0 ? '' : `?${query.join('&')}`}`;
  const parts = [method === 'GET' ? `curl ${quote(url)}` : `curl -X ${method} ${quote(url)}`];
  if (operation.security.length > 0) parts.push('-H "Authorization: Bearer $MATCHD_KEY"');
  const schema = operation.requestBody?.content?.[BODY_TYPE]?.schema;
  if (schema !== undefined) {
    parts.push(`-H 'Content-Type: ${BODY_TYPE}'`);
    parts.push(`-d ${quote(JSON.stringify(exampleOf(schema, schemas)))}`);
  }
  return parts.join(' \\\n  ');
}

/** In single quotes only where a shell would take the text for more than a word. */
function quote(text: string): string {
  if (/^[\w.:/@%+,-]+$/.test(text)) return text;
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
