/** The SDK's types, generated from the two API descriptions. */

import { printFile, printUnion } from './print-file.ts';
import type { Schema } from './print-type.ts';
import { printComment, printDeclaration, printType } from './print-type.ts';

interface Message {
  readonly summary: string;
  readonly payload: Schema;
}

/** The parts of both documents that are read. */
interface Described {
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly messages?: Readonly<Record<string, Message>>;
    readonly responses?: Readonly<Record<string, Answer>>;
  };
  readonly paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Answer>>;
}

interface Answer extends Content {
  readonly 'x-errors'?: readonly { readonly code: string }[];
}

/** Components for which the SDK has a more telling name. */
const RENAMED: Readonly<Record<string, string>> = { Event: 'AnyEvent' };
/** Components that callers never use, and one that has a file of its own. */
const LEFT_OUT = new Set(['Error', 'Problem', 'Game']);

const nameOf = (component: string): string => RENAMED[component] ?? component;

/** The contents of requests and responses, by operation. */
export function makeApiTypes(openApi: object): string {
  const { components, paths = {} } = openApi as Described;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const answers = operations.flatMap(({ operation }) => Object.values(operation.responses));
  const shared = Object.values(components.responses ?? {});
  const codes = [...answers, ...shared].flatMap((answer) => answer['x-errors'] ?? []);
  const names = [...new Set(codes.map(({ code }) => `'${code}'`))].sort();
  const addresses = operations.map(
    ({ path, method, operation }) =>
      `  ${operation.operationId}: '${method.toUpperCase()} ${path}',\n`,
  );
  return printFile('What requests and answers hold.', [
    ...Object.entries(components.schemas)
      .filter(([name]) => !LEFT_OUT.has(name))
      .map(([name, schema]) => printDeclaration(nameOf(name), schema, nameOf)),
    printComment('Errors by name: what `X-Error-Code` says.') + printUnion('ErrorCode', names),
    `${printComment('What each operation takes and answers.')}export interface Operations {\n${operations
      .map(({ operation }) => printOperation(operation))
      .join('')}}\n`,
    `${printComment('Method and path of each operation.')}export const OPERATIONS = {\n${addresses.join('')}} as const;\n`,
  ]);
}

function printOperation({
  operationId,
  summary,
  parameters,
  requestBody,
  responses,
}: Operation): string {
  const named = parameters.filter(({ $ref }) => $ref === undefined);
  const answers = Object.entries(responses)
    .filter(([status]) => Number(status) < 300)
    .map(([, answer]) => printContent(answer));
  return [
    printComment(`${summary}.`, '  '),
    `  readonly ${operationId}: {\n`,
    `    readonly path: ${printParameters(named, 'path')};\n`,
    `    readonly query: ${printParameters(named, 'query')};\n`,
    `    readonly body: ${requestBody === undefined ? 'null' : printContent(requestBody)};\n`,
    `    readonly answer: ${[...new Set(answers)].join(' | ')};\n`,
    '  };\n',
  ].join('');
}

function printContent({ content = {} }: Content): string {
  return printType(Object.values(content)[0]?.schema ?? {}, nameOf, '    ');
}

/** `null` when there are none. */
function printParameters(parameters: readonly Parameter[], place: Parameter['in']): string {
  const found = parameters.filter((each) => each.in === place);
  if (found.length === 0) return 'null';
  const properties = Object.fromEntries(
    found.map(({ name, schema, description }) => [
      name,
      asSaid({ ...schema, ...(description && { description }) }),
    ]),
  );
  const required = found.filter((each) => each.required).map(({ name }) => name);
  return printType({ type: 'object', properties, required }, nameOf, '    ');
}

/** On the wire a query is text; a caller passes `true`, not `'true'`. */
function asSaid(schema: Schema): Schema {
  if (schema.enum?.join() !== 'true,false') return schema;
  return { type: 'boolean', ...(schema.description && { description: schema.description }) };
}

/** The messages of the socket. */
export function makeFrameTypes(asyncApi: object): string {
  const server = messagesOf(asyncApi, 'server.').map(toDeclaration('Frame'));
  const client = messagesOf(asyncApi, 'client.').map(toDeclaration('Message'));
  const names = (of: typeof server): string[] => of.map(({ name }) => name);
  return printFile('The frames of `matchd.v1`.', [
    printComment('The feelings a player can show: a closed list.') +
      printList('EMOTES', asyncApi, 'client.emote', 'emote'),
    ...[...server, ...client].map(({ name, schema }) => printDeclaration(name, schema, nameOf)),
    printComment('Whatever the server sends.') + printUnion('ServerFrame', names(server)),
    printComment('Whatever a client sends.') + printUnion('ClientMessage', names(client)),
  ]);
}

/** The values of an enumerated message field, for programs to iterate over. */
function printList(name: string, asyncApi: object, message: string, field: string): string {
  const { payload } = (asyncApi as Described).components.messages![message]!;
  const values = payload.properties![field]!.enum!.map((each) => `  '${each}',\n`);
  return `export const ${name} = [\n${values.join('')}] as const;\n`;
}

type NamedMessage = readonly [name: string, message: Message];

/** Messages whose name begins with that, under the rest of the name. */
function messagesOf(asyncApi: object, start: string): NamedMessage[] {
  const { messages = {} } = (asyncApi as Described).components;
  return Object.entries(messages)
    .filter(([name]) => name.startsWith(start))
    .map(([name, message]) => [name.slice(start.length), message]);
}

const toDeclaration =
  (ending: string) =>
  ([name, { summary, payload }]: NamedMessage) => ({
    name: `${name.charAt(0).toUpperCase()}${name.slice(1)}${ending}`,
    schema: { ...payload, description: summary },
  });

/** The contents of each event. */
export function makeEventTypes(asyncApi: object): string {
  const fields = messagesOf(asyncApi, 'event.').map(([type, { summary, payload }]) => {
    // An event's own part comes last.
    const data = payload.allOf!.at(-1)!.properties?.['data'] ?? {};
    return `${printComment(summary, '  ')}  readonly '${type}': ${printType(data, nameOf, '  ')};\n`;
  });
  return printFile('What each event tells.', [
    `${printComment('`data` of an event, by its type.')}export interface EventData {\n${fields.join('')}}\n`,
    `${printComment('An event; its `type` says what its `data` holds.')}export type MatchdEvent = {
  [Type in keyof EventData]: Omit<AnyEvent, 'type' | 'data'> & {
    readonly type: Type;
    readonly data: EventData[Type];
  };
}[keyof EventData];
`,
  ]);
}
