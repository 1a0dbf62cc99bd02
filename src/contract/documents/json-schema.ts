/** Schemas as JSON Schema, for the two documents that describe the interface. */

import { z } from 'zod';

export type JsonObject = Record<string, unknown>;

/** Schemas with an id, as they come up. */
export type Components = Map<string, unknown>;

/** The components by name, in the order of names. */
export function sortComponents(components: Components): JsonObject {
  return Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** OpenAPI 3.1 speaks the one, AsyncAPI 3.0 the other. */
export type SchemaDialect = 'draft-2020-12' | 'draft-07';

/** A schema as JSON Schema; those with an id are put among the components and referred to. */
export function makeSchema(
  schema: z.ZodType,
  components: Components,
  dialect: SchemaDialect = 'draft-2020-12',
): JsonObject {
  const made = z.toJSONSchema(schema, {
    target: dialect,
    // As clients see it: nothing is filled in yet.
    io: 'input',
    override: ({ jsonSchema, path }) => {
      simplify(jsonSchema);
      if (path.length > 0) tellDefault(jsonSchema);
    },
  });
  const {
    $schema,
    $defs = {},
    definitions = $defs,
    ...own
  } = referToComponents(made) as JsonObject & {
    $defs?: JsonObject;
    definitions?: JsonObject;
  };
  for (const [id, component] of Object.entries(definitions)) components.set(id, component);
  return own;
}

/** What says nothing to a reader: the pattern of a format, the largest integer there is. */
function simplify(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.format === 'date-time') delete schema.pattern;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}

/**
 * In words: generators of clients take a property with a `default` for one that is always there. A
 * parameter, which is a schema by itself, keeps it.
 */
function tellDefault(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.default === undefined) return;
  const { description = '', default: value } = schema;
  schema.description = `${description} Default: \`${String(value)}\`.`.trimStart();
  delete schema.default;
}

function referToComponents(value: unknown): unknown {
  const text = JSON.stringify(value).replace(
    /"#\/(?:\$defs|definitions)\//g,
    '"#/components/schemas/',
  );
  return JSON.parse(text);
}
