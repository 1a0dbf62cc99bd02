/** Schemas in words, as the page shows them. */

import { describe, expect, test } from 'bun:test';
import type { Schema } from './documents.ts';
import { fieldsOf, fieldType, insideOf, openSchema, rulesOf, typeText } from './schema.ts';

const schemas = {
  Game: { type: 'string', enum: ['ludo', 'pool'], description: 'One of the games.' },
  Player: {
    type: 'object',
    properties: { id: { type: 'string' }, seat: { type: 'integer' } },
    required: ['id'],
  },
  Tree: { type: 'object', properties: { child: { $ref: '#/components/schemas/Tree' } } },
} satisfies Record<string, Schema>;
const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
const NULL: Schema = { type: 'null' };

describe('types', () => {
  test.each<[Schema, string]>([
    [{ type: 'string' }, 'string'],
    [{ type: ['string', 'null'] }, 'string or null'],
    [{ type: 'string', format: 'date-time' }, 'time'],
    [{ const: 'act' }, '"act"'],
    [{ enum: ['a', 'b'] }, 'string'],
    [ref('Game'), 'Game'],
    [{ anyOf: [ref('Player'), NULL] }, 'Player or null'],
    [{ type: 'array', items: ref('Player') }, 'array of Player'],
    [{ type: 'array', items: [ref('Player')] }, 'list'],
    [{ type: 'object', additionalProperties: { type: 'string' } }, 'table'],
    [{ oneOf: [{ type: 'string' }, { type: 'integer' }] }, 'string or integer'],
    [{}, 'anything'],
  ])('[WEB] %j', (schema, text) => {
    expect(typeText(schema, schemas)).toBe(text);
  });

  test('[WEB] the type of an optional field does not mention null', () => {
    const schema: Schema = { type: ['string', 'null'] };
    expect(fieldType({ name: 'a', isRequired: true, schema }, schemas)).toBe('string or null');
    expect(fieldType({ name: 'a', isRequired: false, schema }, schemas)).toBe('string');
  });
});

test('[WEB] rules are described in words', () => {
  const rules = (schema: Schema) => rulesOf(schema, schemas).join('; ');
  expect(rules({ type: 'string', minLength: 1, maxLength: 1_000 })).toBe('1 to 1,000 characters');
  expect(rules({ type: 'string', minLength: 6, maxLength: 6 })).toBe('6 characters');
  expect(rules({ type: 'integer', minimum: 0 })).toBe('');
  expect(rules({ type: 'integer', minimum: 1 })).toBe('1 or more');
  expect(rules({ type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: 4 })).toBe('up to 4');
  expect(rules({ type: 'array', maxItems: 3 })).toBe('up to 3 elements');
  expect(rules({ anyOf: [{ type: 'boolean' }, NULL], default: true })).toBe('by default true');
  expect(rules({ type: 'string', pattern: '^[^\\p{Cc}\\p{Cs}]*$' })).toBe('no control characters');
  expect(rules({ type: 'string', pattern: '^#' })).toBe('matches ^#');
});

test('[WEB] a reference keeps the keywords beside it', () => {
  const { schema, name } = openSchema({ ...ref('Game'), description: 'Mine.' }, schemas);
  expect([name, schema.description, schema.enum]).toEqual(['Game', 'Mine.', ['ludo', 'pool']]);
});

test('[WEB] the parts of allOf are merged', () => {
  const narrow: Schema = { properties: { seat: { const: 2 } }, required: ['seat'] };
  const fields = fieldsOf({ allOf: [ref('Player'), narrow] }, schemas);
  expect(fields.map(({ name, isRequired }) => [name, isRequired])).toEqual([
    ['id', true],
    ['seat', true],
  ]);
  expect(fields[1]!.schema).toEqual({ const: 2 });
});

test('[WEB] arrays and tables show the fields of their elements', () => {
  const names = (schema: Schema) => {
    const inside = insideOf(schema, schemas);
    return inside.kind === 'fields' ? inside.fields.map(({ name }) => name) : inside.kind;
  };
  expect(names({ type: 'array', items: ref('Player') })).toEqual(['id', 'seat']);
  expect(names({ type: 'object', additionalProperties: ref('Player') })).toEqual(['id', 'seat']);
  expect(names({ type: 'array', items: { type: 'string' } })).toBe('nothing');
  const pair: Schema = { type: 'array', items: [ref('Player'), {}], additionalItems: {} };
  expect(names(pair)).toEqual(['0', '1', '…']);
  expect(names({ ...pair, additionalItems: false })).toEqual(['0', '1']);
  expect(names({ oneOf: [ref('Player'), { type: 'string' }] })).toBe('alternatives');
  // A recursive schema is expanded one step at a time.
  expect(names(ref('Tree'))).toEqual(['child']);
});
