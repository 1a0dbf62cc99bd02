/** The fields of a value: name, type, rules and meaning; nested fields can be expanded. */

import type { Schema, Schemas } from './documents.ts';
import { el, prose } from './dom.ts';
import type { Field, Inside } from './schema.ts';
import { choicesOf, fieldType, insideOf, openSchema, rulesOf } from './schema.ts';

/** The depth to which fields are expanded; recursive schemas end there. */
const DEPTH_MAX = 6;

/** Whether the reader sends the value or receives it. Either way the exception is marked. */
export type Direction = 'sent' | 'received';

interface Listing {
  readonly schemas: Schemas;
  readonly direction: Direction;
}

/** Null when there is nothing to list. */
export function makeFields(
  schema: Schema,
  schemas: Schemas,
  direction: Direction,
): HTMLElement | null {
  return makeInside(insideOf(schema, schemas), { schemas, direction }, 0);
}

/** One parameter: a field of the path, the query or the headers. */
export function makeParameterRow(field: Field, schemas: Schemas): HTMLLIElement {
  return makeRow(field, { schemas, direction: 'sent' }, 0);
}

function makeInside(inside: Inside, listing: Listing, depth: number): HTMLElement | null {
  if (inside.kind === 'nothing' || depth > DEPTH_MAX) return null;
  if (inside.kind === 'fields') return makeList(inside.fields, listing, depth);
  const lists = inside.schemas.map((each) =>
    makeInside(insideOf(each, listing.schemas), listing, depth),
  );
  const shown = lists.flatMap((list, index) =>
    list === null ? [] : [index === 0 ? null : el('p', 'or', 'or'), list],
  );
  return el('div', 'alternatives', ...shown);
}

function makeList(fields: readonly Field[], listing: Listing, depth: number): HTMLElement {
  return el('ul', 'fields', ...fields.map((field) => makeRow(field, listing, depth)));
}

function makeRow(field: Field, listing: Listing, depth: number): HTMLLIElement {
  const { name, schema } = field;
  const { schemas } = listing;
  const head = el(
    'p',
    'field-head',
    el('code', 'field-name', name),
    el('span', 'field-type', fieldType(field, schemas)),
    makeMark(field, listing),
  );
  const { description } = openSchema(schema, schemas).schema;
  return el(
    'li',
    '',
    head,
    description === undefined ? null : el('p', '', prose(description)),
    makeChoices(schema, schemas),
    makeRules(rulesOf(schema, schemas)),
    makeDetails(schema, listing, depth),
  );
}

function makeMark({ isRequired }: Field, { direction }: Listing): HTMLElement | null {
  if (direction === 'sent') return isRequired ? el('span', 'required', 'required') : null;
  return isRequired ? null : el('span', 'field-type', 'not always');
}

function makeChoices(schema: Schema, schemas: Schemas): HTMLElement | null {
  const choices = choicesOf(schema, schemas);
  if (choices.length === 0) return null;
  return el('p', 'choices', ...choices.map((choice) => el('code', '', String(choice))));
}

function makeRules(rules: readonly string[]): HTMLElement | null {
  return rules.length === 0 ? null : el('p', 'rules', rules.join(' · '));
}

function makeDetails(schema: Schema, listing: Listing, depth: number): HTMLElement | null {
  const inside = makeInside(insideOf(schema, listing.schemas), listing, depth + 1);
  if (inside === null) return null;
  return el('details', '', el('summary', '', 'What is in it'), inside);
}
