/** Schemas as JSON Schema, for the two API documents. */

import { z } from 'zod';

export type JsonObject = Record<string, unknown>;

/** Schemas with an id, as they are found. */
export type Components = Map<string, unknown>;

/** The components, sorted by name. */
export function sortComponents(components: Components): JsonObject {
  return Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** OpenAPI 3.1 uses the one, AsyncAPI 3.0 the other. */
export type SchemaDialect = 'draft-2020-12' | 'draft-07';

/** A schema as JSON Schema; those with an id become components and are referred to. */
export function makeSchema(
  schema: z.ZodType,
  components: Components,
  dialect: SchemaDialect = 'draft-2020-12',
): JsonObject {
  const made = z.toJSONSchema(schema, {
    target: dialect,
    // As clients see it: before defaults are filled in.
    io: 'input',
    override: ({ jsonSchema, path }) => {
      simplify(jsonSchema);
      if (path.length > 0) describeDefault(jsonSchema);
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

/** Removes what tells a reader nothing: the pattern of a format, the largest integer. */
function simplify(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.format === 'date-time') delete schema.pattern;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}

/**
 * Moves the default into the description: client generators treat a property with a `default` as
 * always present. A parameter, which is a schema by itself, keeps it.
 */
function describeDefault(schema: z.core.JSONSchema.BaseSchema): void {
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
