/** An event of one type as JSON Schema: for webhooks in OpenAPI, for all channels in AsyncAPI. */

import type { z } from 'zod';
import type { EventType } from '../../events/event.ts';
import { EVENT_DATA, event } from '../answers/event-answers.ts';
import type { Components, JsonObject, SchemaDialect } from './json-schema.ts';
import { makeSchema } from './json-schema.ts';

/** The schema of an event of one type; its `data` is completed here, where the schema is closed. */
export function makeEventSchema(
  type: EventType,
  components: Components,
  dialect: SchemaDialect,
): JsonObject {
  const schemas: Readonly<Record<string, z.ZodType>> = EVENT_DATA;
  const schema = schemas[type];
  const data = schema === undefined ? { type: 'object' } : makeSchema(schema, components, dialect);
  const own = { type: 'object', properties: { type: { const: type }, data } };
  return { allOf: [makeSchema(event, components, dialect), own] };
}
