/** One HTTP call: its parameters, responses, errors, and a command to try it. */

import type { Answer, Call, ErrorEntry, Parameter, Schemas } from './documents.ts';
import { el, prose } from './dom.ts';
import { exampleOf } from './example.ts';
import { makeFields, makeParameterRow } from './fields-view.ts';
import { formatJson } from './json-text.ts';
import { makeCallSample } from './languages/call-sample.ts';
import { makeSample } from './sample-view.ts';
import { typeText } from './schema.ts';
import type { Section } from './section.ts';

export interface CallContext {
  readonly schemas: Schemas;
  /** Where the service is, for lines to copy. */
  readonly origin: string;
  /** Codes that every call of the same method can return: collapsed. */
  readonly commonOf: (call: Call) => ReadonlySet<string>;
}

interface Failure extends ErrorEntry {
  readonly status: string;
}

export function makeCallSection(call: Call, context: CallContext): Section {
  const { method, path, operation } = call;
  const failures = failuresOf(call);
  const badge = { text: method, kind: method.toLowerCase() };
  const facts = el(
    'div',
    'facts',
    makeParameters('In the path', call, 'path', context),
    makeParameters('In the query', call, 'query', context),
    makeBody(call, context),
    makeParameters('In the headers', call, 'header', context),
    ...makeAnswers(call, context),
    ...makeFailures(failures, context.commonOf(call)),
  );
  const element = el(
    'article',
    '',
    el('h3', '', prose(operation.summary)),
    el('p', 'route', el('span', `badge ${badge.kind}`, method), el('code', '', path)),
    operation.description === undefined ? null : el('p', 'note', prose(operation.description)),
    el('div', 'columns', facts, makeSamples(call, context)),
  );
  return {
    id: operation.operationId,
    label: operation.summary.replaceAll('`', ''),
    badge,
    element,
  };
}

function makeParameters(
  title: string,
  { parameters }: Call,
  place: Parameter['in'],
  { schemas }: CallContext,
): HTMLElement | null {
  const rows = parameters
    .filter((each) => each.in === place)
    .map(({ name, required, description, schema }) => {
      const described = description === undefined ? schema : { ...schema, description };
      return makeParameterRow({ name, isRequired: required === true, schema: described }, schemas);
    });
  return rows.length === 0
    ? null
    : el('section', '', el('h4', '', title), el('ul', 'fields', ...rows));
}

function makeBody({ operation }: Call, { schemas }: CallContext): HTMLElement | null {
  const schema = schemaOf(operation.requestBody?.content);
  if (schema === null) return null;
  return el('section', '', el('h4', '', 'In the body'), makeFields(schema, schemas, 'sent'));
}

function schemaOf(content: Answer['content']) {
  return Object.values(content ?? {})[0]?.schema ?? null;
}

function isSuccess(status: string): boolean {
  return status.startsWith('2');
}

function makeAnswers({ answers }: Call, { schemas }: CallContext): HTMLElement[] {
  return answers
    .filter(([status]) => isSuccess(status))
    .map(([status, answer]) => {
      const schema = schemaOf(answer.content);
      const fields = schema === null ? null : makeFields(schema, schemas, 'received');
      const type = schema === null ? null : el('span', 'field-type', typeText(schema, schemas));
      return el(
        'section',
        '',
        el('h4', '', 'Answer'),
        el('p', 'status', el('code', 'good', status), prose(answer.description), type),
        fields === null ? null : el('details', '', el('summary', '', 'What is in it'), fields),
      );
    });
}

function failuresOf({ answers }: Call): Failure[] {
  return answers.flatMap(([status, answer]) =>
    (answer['x-errors'] ?? []).map((entry) => ({ status, ...entry })),
  );
}

function makeFailures(
  failures: readonly Failure[],
  common: ReadonlySet<string>,
): (HTMLElement | null)[] {
  const own = failures.filter(({ code }) => !common.has(code));
  const others = failures.filter(({ code }) => common.has(code));
  if (failures.length === 0) return [];
  const closed = el(
    'details',
    '',
    el('summary', '', `${others.length} that all calls of this kind can answer`),
    makeFailureList(others),
  );
  return [
    el(
      'section',
      '',
      el('h4', '', 'Errors'),
      own.length === 0 ? null : makeFailureList(own),
      others.length === 0 ? null : closed,
    ),
  ];
}

function makeFailureList(failures: readonly Failure[]): HTMLElement {
  const rows = failures.map(({ status, code, message }) =>
    el(
      'li',
      '',
      el('code', 'bad', status),
      el('span', 'message', message),
      el('code', 'code', code),
    ),
  );
  return el('ul', 'failures', ...rows);
}

function makeSamples(call: Call, { schemas, origin }: CallContext): HTMLElement {
  const request = makeCallSample(call, schemas, origin);
  const answers = call.answers.flatMap(([status, { content }]) => {
    // Streams are described in words: they have no example.
    const schema = content?.['application/json']?.schema;
    if (!isSuccess(status) || schema === undefined) return [];
    return [{ status, text: formatJson(exampleOf(schema, schemas)) }];
  });
  // Equal responses are shown once.
  const samples = Array.from(
    Map.groupBy(answers, ({ text }) => text),
    ([text, alike]) => makeSample(`Answer ${alike.map(({ status }) => status).join(' or ')}`, text),
  );
  return el('div', 'samples', request, ...samples);
}
