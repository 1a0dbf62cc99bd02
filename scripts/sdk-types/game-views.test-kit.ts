/** Parts of a schema that never occurred: fields without a value, choices that never came up. */

import { z } from 'zod';

interface JsonSchema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly prefixItems?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
}

/** Paths of fields that were in none of the values, or null and empty in all: `last.foul`. */
export function unusedOf(schema: z.ZodType, values: readonly unknown[]): readonly string[] {
  return unused(z.toJSONSchema(schema, { reused: 'inline' }) as JsonSchema, values, '');
}

function unused(schema: JsonSchema, all: readonly unknown[], path: string): readonly string[] {
  const values = all.filter((value) => value !== null && value !== undefined);
  if (values.length === 0) return [path];
  const inner = schema.anyOf?.find(({ type }) => type !== 'null') ?? schema;
  if (inner.properties !== undefined) {
    return Object.entries(inner.properties).flatMap(([name, field]) =>
      unused(
        field,
        values.map((value) => (value as Readonly<Record<string, unknown>>)[name]),
        path === '' ? name : `${path}.${name}`,
      ),
    );
  }
  const items = inner.items ?? inner.prefixItems?.[0];
  return items === undefined ? [] : unused(items, (values as unknown[][]).flat(), `${path}[]`);
}
