/** Schemas in words: the type of a value, its rules, its fields. */

import type { Schema, Schemas } from './documents.ts';
import { nameOf } from './documents.ts';

/** A schema without references and without its null. */
export interface Shape {
  readonly schema: Schema;
  /** The name it has among the schemas; null when it has none. */
  readonly name: string | null;
  readonly isNullable: boolean;
}

export interface Field {
  readonly name: string;
  readonly isRequired: boolean;
  readonly schema: Schema;
}

/** Follows references, removes `or null` and merges the parts of `allOf`. */
export function openSchema(schema: Schema, schemas: Schemas): Shape {
  if (schema.$ref !== undefined) {
    const name = nameOf(schema.$ref);
    const { $ref, ...more } = schema;
    const opened = openSchema(schemas[name] ?? {}, schemas);
    return { ...opened, name, schema: { ...opened.schema, ...more } };
  }
  if (schema.anyOf !== undefined) return openAlternatives(schema, schema.anyOf, schemas);
  if (schema.allOf !== undefined) return openAll(schema, schema.allOf, schemas);
  const { type } = schema;
  if (typeof type === 'string' || !type?.includes('null')) {
    return { schema, name: null, isNullable: false };
  }
  const others = type.filter((each) => each !== 'null');
  return { schema: { ...schema, type: others[0]! }, name: null, isNullable: true };
}

function openAlternatives(schema: Schema, all: readonly Schema[], schemas: Schemas): Shape {
  const others = all.filter(({ type }) => type !== 'null');
  const { anyOf, ...more } = schema;
  const isNullable = others.length < all.length;
  if (others.length !== 1) return { schema: { ...more, oneOf: others }, name: null, isNullable };
  const opened = openSchema(others[0]!, schemas);
  return { ...opened, schema: { ...opened.schema, ...more }, isNullable };
}

function openAll(schema: Schema, parts: readonly Schema[], schemas: Schemas): Shape {
  const opened = parts.map((part) => openSchema(part, schemas));
  const merged: Schema = Object.assign({}, ...opened.map((part) => part.schema));
  const properties = Object.assign({}, ...opened.map((part) => part.schema.properties));
  const required = opened.flatMap((part) => part.schema.required ?? []);
  const { allOf, ...more } = schema;
  const name = opened.find((part) => part.name !== null)?.name ?? null;
  return { schema: { ...merged, ...more, properties, required }, name, isNullable: false };
}

/** The type of a field. An optional field may also be null, which is not mentioned. */
export function fieldType({ schema, isRequired }: Field, schemas: Schemas): string {
  return isRequired ? typeText(schema, schemas) : ownType(openSchema(schema, schemas), schemas);
}

/** The type in a few words: `array of Player`, `string or null`. */
export function typeText(schema: Schema, schemas: Schemas): string {
  const shape = openSchema(schema, schemas);
  const text = ownType(shape, schemas);
  return shape.isNullable ? `${text} or null` : text;
}

function ownType({ schema, name }: Shape, schemas: Schemas): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return name ?? typeof schema.enum[0];
  if (schema.oneOf !== undefined) {
    return schema.oneOf.map((each) => typeText(each, schemas)).join(' or ');
  }
  if (isTuple(schema)) return 'list';
  if (schema.type === 'array') return `array of ${typeText(elementOf(schema), schemas)}`;
  if (schema.type === 'object') return name ?? (isTable(schema) ? 'table' : 'object');
  if (schema.format === 'date-time') return 'time';
  return typeof schema.type === 'string' ? schema.type : 'anything';
}

/** A tuple: an array whose elements have a meaning each. */
function isTuple(schema: Schema): schema is Schema & { readonly items: readonly Schema[] } {
  return Array.isArray(schema.items);
}

/** The type of an array's elements, unless it is a tuple. */
export function elementOf({ items = {} }: Schema): Schema {
  return Array.isArray(items) ? {} : (items as Schema);
}

/** The elements of a tuple by their positions, and the type of further ones. */
function placesOf({
  items,
  additionalItems,
}: Schema & { readonly items: readonly Schema[] }): Field[] {
  const places = items.map((schema, place) => ({ name: `${place}`, isRequired: true, schema }));
  const rest = typeof additionalItems === 'object' ? additionalItems : null;
  return rest === null ? places : [...places, { name: '…', isRequired: false, schema: rest }];
}

/** An object with arbitrary field names. */
function isTable({ properties, additionalProperties }: Schema): boolean {
  return properties === undefined && typeof additionalProperties === 'object';
}

/** The rules of a value, each in a few words. */
export function rulesOf(schema: Schema, schemas: Schemas): string[] {
  const { schema: own } = openSchema(schema, schemas);
  const rules = [
    rangeText(own.minLength, own.maxLength, 'characters'),
    rangeText(own.minimum, own.maximum, ''),
    rangeText(own.minItems, own.maxItems, 'elements'),
    rangeText(undefined, own.maxProperties, 'names'),
    patternText(own),
    own.default === undefined ? null : `by default ${JSON.stringify(own.default)}`,
  ];
  return rules.filter((rule) => rule !== null);
}

/** The contract's pattern of plain texts. */
const PLAIN = '^[^\\p{Cc}\\p{Cs}]*$';

function patternText({ pattern, format }: Schema): string | null {
  if (pattern === undefined || format !== undefined) return null;
  return pattern === PLAIN ? 'no control characters' : `matches ${pattern}`;
}

function rangeText(min: number | undefined, max: number | undefined, of: string): string | null {
  const low = min === undefined || min <= Number.MIN_SAFE_INTEGER ? null : formatNumber(min);
  const high = max === undefined ? null : formatNumber(max);
  const text = rangeWords(low, high);
  return text === null ? null : `${text} ${of}`.trim();
}

function rangeWords(low: string | null, high: string | null): string | null {
  if (low !== null && high !== null) return low === high ? low : `${low} to ${high}`;
  if (low !== null) return low === '0' ? null : `${low} or more`;
  return high === null ? null : `up to ${high}`;
}

function formatNumber(value: number): string {
  return value.toLocaleString('en');
}

/** The values of an enumeration; empty for any other schema. */
export function choicesOf(schema: Schema, schemas: Schemas): readonly unknown[] {
  return openSchema(schema, schemas).schema.enum ?? [];
}

export function fieldsOf(schema: Schema, schemas: Schemas): readonly Field[] {
  const { properties = {}, required = [] } = openSchema(schema, schemas).schema;
  return Object.entries(properties).map(([name, field]) => ({
    name,
    isRequired: required.includes(name),
    schema: field,
  }));
}

/** The nested part of a value that can be shown below it. */
export type Inside =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'fields'; readonly fields: readonly Field[] }
  | { readonly kind: 'alternatives'; readonly schemas: readonly Schema[] };

/** For arrays and tables the parts of their elements; for tuples the elements themselves. */
export function insideOf(schema: Schema, schemas: Schemas): Inside {
  const { schema: own } = openSchema(schema, schemas);
  if (isTuple(own)) return { kind: 'fields', fields: placesOf(own) };
  if (own.type === 'array' && own.items !== undefined) return insideOf(elementOf(own), schemas);
  if (isTable(own)) return insideOf(own.additionalProperties as Schema, schemas);
  const alternatives = (own.oneOf ?? []).filter(
    (each) => insideOf(each, schemas).kind !== 'nothing',
  );
  if (alternatives.length > 0) return { kind: 'alternatives', schemas: alternatives };
  const fields = fieldsOf(own, schemas);
  return fields.length === 0 ? { kind: 'nothing' } : { kind: 'fields', fields };
}
