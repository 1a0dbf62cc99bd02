/** The description of the API (OpenAPI 3.1), generated from the schemas that validate. */

import type { z } from 'zod';
import { PARAMS, paramsOf } from '../params.ts';
import type { Route } from '../routes/routes.ts';
import { ROUTES, takesIdempotencyKey } from '../routes/routes.ts';
import type { Components, JsonObject } from './json-schema.ts';
import { makeSchema, sortComponents } from './json-schema.ts';
import {
  API_KEY_SCHEME,
  headersOf,
  IDEMPOTENCY_KEY,
  INFO,
  RESPONSE_HEADERS,
  SERVERS,
  TAGS,
} from './openapi-parts.ts';
import { makeHeaders, makeSharedErrors, type SharedErrors } from './openapi-responses.ts';
import { makeWebhooks, WEBHOOK_PARAMETERS, WEBHOOK_RESPONSES } from './openapi-webhooks.ts';

/** The whole document, as plain data; `version` is the package's. */
export function makeOpenApi(version: string): JsonObject {
  const components: Components = new Map();
  const shared = makeSharedErrors(ROUTES, components);
  const paths: Record<string, JsonObject> = {};
  for (const route of ROUTES) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = {
      ...paths[path],
      [route.method.toLowerCase()]: makeOperation(route, components, shared),
    };
  }
  return {
    openapi: '3.1.0',
    info: { ...INFO, version },
    servers: SERVERS,
    tags: TAGS,
    paths,
    webhooks: makeWebhooks(components),
    components: {
      schemas: sortComponents(components),
      responses: { ...shared.responses, ...WEBHOOK_RESPONSES },
      headers: RESPONSE_HEADERS,
      parameters: { idempotencyKey: IDEMPOTENCY_KEY, ...WEBHOOK_PARAMETERS },
      securitySchemes: { apiKey: API_KEY_SCHEME, botToken: BOT_TOKEN_SCHEME },
    },
  };
}

/** How a caller authenticates, by `auth`: one of these. */
const SECURITY: Readonly<Record<Route['auth'], readonly JsonObject[]>> = {
  key: [{ apiKey: [] }],
  bot: [{ apiKey: [] }, { botToken: [] }],
  none: [],
};

const BOT_TOKEN_SCHEME: JsonObject = {
  type: 'http',
  scheme: 'bearer',
  bearerFormat: 'JWT',
  description: 'The token of one bot (`POST /v1/bots/:botId/token`), only for calls of that bot.',
};

function makeOperation(route: Route, components: Components, shared: SharedErrors): JsonObject {
  const { body } = route;
  return {
    operationId: route.operationId,
    summary: route.summary,
    ...(route.rights === null ? {} : { description: route.rights }),
    tags: [route.tag],
    security: SECURITY[route.auth],
    // A restricted key needs one of these (rule K5).
    ...(route.scopes === 'any' ? {} : { 'x-scopes': route.scopes }),
    parameters: makeParameters(route, components),
    ...(body === null ? {} : { requestBody: makeBody(body, components) }),
    responses: { ...makeAnswers(route, components), ...shared.errorsOf(route) },
  };
}

function makeParameters(route: Route, components: Components): JsonObject[] {
  const inPath = paramsOf(route.path).map((name) =>
    makeParameter('path', name, PARAMS[name], components),
  );
  const inQuery = Object.entries(route.query?.shape ?? {}).map(([name, schema]) =>
    makeParameter('query', name, schema as z.ZodType, components),
  );
  const inHeader = takesIdempotencyKey(route)
    ? [{ $ref: '#/components/parameters/idempotencyKey' }]
    : [];
  return [...inPath, ...inQuery, ...inHeader];
}

function makeParameter(
  place: 'path' | 'query',
  name: string,
  schema: z.ZodType,
  components: Components,
): JsonObject {
  const { description, ...made } = makeSchema(schema, components);
  const required = place === 'path' || !schema.safeParse(undefined).success;
  // `metadata[orderId]=77`.
  const style = made['type'] === 'object' ? { style: 'deepObject', explode: true } : null;
  return { name, in: place, required, description, ...style, schema: made };
}

const JSON_TYPE = 'application/json';

/** A body is required only if one of its fields is. */
function makeBody(schema: z.ZodObject, components: Components): JsonObject {
  const required = !schema.safeParse({}).success;
  return { required, content: { 'application/json': { schema: makeSchema(schema, components) } } };
}

function makeAnswers(route: Route, components: Components): JsonObject {
  return Object.fromEntries(
    Object.entries(route.answers).map(([status, { means, schema, contentType = JSON_TYPE }]) => [
      status,
      {
        description: means,
        headers: makeHeaders(headersOf(route, Number(status))),
        content: { [contentType]: { schema: makeSchema(schema, components) } },
      },
    ]),
  );
}
