/** A call in TypeScript, with the SDK for backends. */

import type { Call, Schemas } from '../documents.ts';
import { exampleOf } from '../example.ts';
import { formatValue, type ValueStyle } from '../json-text.ts';
import { requiredQuery, type SampleRequest } from './sample-request.ts';
import { SDK_CALLS } from './sdk-calls.ts';

export function makeTypeScript(
  request: SampleRequest,
  call: Call,
  schemas: Schemas,
  origin: string,
): string {
  const { operationId } = call.operation;
  const known = SDK_CALLS[operationId];
  if (known === undefined) throw new Error(`the table of the SDK has no ${operationId}`);
  const [method, ...args] = known;
  const inLoop = isMany(call, request);
  const values = args.map((arg) => argumentOf(arg, call, request, schemas));
  // An empty filter can be left out.
  const given = values.filter((value) => JSON.stringify(value) !== '{}' || !args.includes('query'));
  const printed = given.map((value) => formatValue(value, STYLE)).join(', ');
  const asked = `matchd.${method}(${printed})`;
  const lines = inLoop
    ? [`for await (const each of ${asked}) {`, `  console.log(each);`, '}']
    : [`const answer = await ${asked};`, 'console.log(answer);'];
  return [
    "import { createMatchd } from '@matchd/sdk';",
    '',
    'const matchd = createMatchd({',
    `  url: ${printText(origin)},`,
    `  key: process.env.MATCHD_KEY!,`,
    '});',
    '',
    ...lines,
  ].join('\n');
}

/** Pages and streams are iterated. */
function isMany({ parameters }: Call, { isStream }: SampleRequest): boolean {
  return isStream || parameters.some(({ name }) => name === 'cursor');
}

function argumentOf(arg: string, call: Call, { body }: SampleRequest, schemas: Schemas): unknown {
  const [place, field] = arg.split('.');
  const query = requiredQuery(call.parameters, schemas);
  if (place === 'query') return field === undefined ? query : query[field];
  if (place === 'body') return field === undefined ? body : Object(body)[field];
  const parameter = call.parameters.find((each) => each.in === 'path' && each.name === arg);
  return exampleOf(parameter?.schema ?? {}, schemas, arg);
}

const STYLE: ValueStyle = {
  scalar: (value) => (typeof value === 'string' ? printText(value) : String(value)),
  key: (name) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : printText(name)),
  indent: '  ',
  pad: ' ',
  last: ',',
};

/** In single quotes, as most formatters write it. */
function printText(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"');
  return `'${inner.replaceAll("'", "\\'")}'`;
}
