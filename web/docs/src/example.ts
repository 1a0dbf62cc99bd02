/** Example values: those of the schemas, and sensible ones where these have none. */

import type { Schema, Schemas } from './documents.ts';
import { elementOf, openSchema } from './schema.ts';

/** Prefixes of ids, by schema or field; all others are players. */
const ID_PREFIXES: Readonly<Record<string, string>> = {
  Event: 'evt',
  Bot: 'bot',
  bot: 'bot',
  Webhook: 'whk',
  Ticket: 'tkt',
  Group: 'grp',
  group: 'grp',
  groups: 'grp',
  tenant: 'ten',
  key: 'key',
};

/** By the name of the field, for numbers. */
const NUMBERS: Readonly<Record<string, number>> = { seats: 2, capacity: 2, expiresIn: 300 };

/** How deep examples go. Deeper values are shown empty. */
const DEPTH_MAX = 6;

const RANDOM_PART = '01kafw3q9t5ne8rz2m4xbcd7hj';
const TIME = '2026-11-21T12:00:00.000Z';

/** By the name of the field, for texts without a meaning of their own. */
const TEXTS: Readonly<Record<string, string>> = {
  sessionId: `ses_${RANDOM_PART}`,
  botId: `bot_${RANDOM_PART}`,
  ticketId: `tkt_${RANDOM_PART}`,
  playerId: 'alice',
  winner: 'alice',
  winners: 'alice',
  players: 'alice',
  displayName: 'Alice',
  variant: 'standard',
  roomCode: 'K7WQ3D',
  token: 'eyJhbGciOiJIUzI1NiIs…',
  sessionToken: 'eyJhbGciOiJIUzI1NiIs…',
  tokens: 'eyJhbGciOiJIUzI1NiIs…',
  socketUrl: 'wss://play.example.com/v1/socket',
  playUrl: 'https://play.example.com/play/my-game/#token=eyJ…',
  playUrls: 'https://play.example.com/play/my-game/#token=eyJ…',
  url: 'https://example.com/hooks',
  reason: 'resignation',
  commitment: '9f2c5b…',
  hash: '41d7e0…',
  nextCursor: 'c2VzXzAx…',
  name: 'Example',
};

/** `name` is the name of the value's field. */
export function exampleOf(schema: Schema, schemas: Schemas, name = '', depth = 0): unknown {
  const { schema: own, name: schemaName, isNullable } = openSchema(schema, schemas);
  if (own.examples !== undefined) return own.examples[0];
  if (own.const !== undefined) return own.const;
  if (own.enum !== undefined) return own.enum[0];
  if (own.default !== undefined) return own.default;
  if (own.oneOf !== undefined) return exampleOf(own.oneOf[0]!, schemas, name, depth);
  if (depth >= DEPTH_MAX) return isNullable ? null : own.type === 'array' ? [] : {};
  switch (own.type) {
    case 'array':
      return [exampleOf(elementOf(own), schemas, name, depth + 1)];
    case 'object':
      return exampleObject(own, schemas, schemaName ?? name, depth);
    case 'string':
      return own.format === 'date-time' ? TIME : (TEXTS[name] ?? (isNullable ? null : '…'));
    case 'integer':
    case 'number':
      return isNullable ? null : (NUMBERS[name] ?? Math.max(0, own.minimum ?? 0));
    case 'boolean':
      return name === 'connected' || name === 'active';
    default:
      return isNullable ? null : {};
  }
}

function makeId(owner: string): string {
  const prefix = ID_PREFIXES[owner];
  return prefix === undefined ? 'alice' : `${prefix}_${RANDOM_PART}`;
}

/** The constant value, or the schema's own example. */
function exampleObject(own: Schema, schemas: Schemas, owner: string, depth: number): object {
  const { properties = {}, required = [], additionalProperties } = own;
  const shown = Object.entries(properties).filter(([field]) => required.includes(field));
  const object = Object.fromEntries(
    shown.map(([field, each]) => [
      field,
      field === 'id' && openSchema(each, schemas).schema.type === 'string'
        ? makeId(owner)
        : exampleOf(each, schemas, field, depth + 1),
    ]),
  );
  if (own.properties !== undefined || typeof additionalProperties !== 'object') return object;
  return { alice: exampleOf(additionalProperties, schemas, owner, depth + 1) };
}
