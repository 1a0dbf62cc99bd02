/** The error responses of OpenAPI: shared ones are components. */

import * as answers from '../answers/answers.ts';
import { ERRORS, type ErrorCode } from '../errors.ts';
import type { Route } from '../routes/routes.ts';
import type { Components, JsonObject } from './json-schema.ts';
import { makeSchema } from './json-schema.ts';
import { errorsByStatus, headersOf, type ResponseHeader } from './openapi-parts.ts';

export interface SharedErrors {
  /** For `components.responses`, by name. */
  readonly responses: JsonObject;
  /** For `responses` of a call, by status: shared ones are references. */
  errorsOf(route: Route): JsonObject;
}

/** One error response of a route. */
interface ErrorAnswer {
  readonly status: number;
  readonly codes: readonly ErrorCode[];
  readonly headers: readonly ResponseHeader[];
}

export function makeSharedErrors(routes: readonly Route[], components: Components): SharedErrors {
  const byName = Map.groupBy(routes.flatMap(answersOf), nameOf);
  const shared = [...byName].filter(([, alike]) => alike.length > 1);
  const responses = Object.fromEntries(
    shared
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, [first]]) => [name, makeError(first!, components)]),
  );
  return {
    responses,
    errorsOf: (route) =>
      Object.fromEntries(
        answersOf(route).map((answer) => {
          const name = nameOf(answer);
          const isShared = responses[name] !== undefined;
          const ref = { $ref: `#/components/responses/${name}` };
          return [answer.status, isShared ? ref : makeError(answer, components)];
        }),
      ),
  };
}

function answersOf(route: Route): ErrorAnswer[] {
  return Array.from(errorsByStatus(route), ([status, codes]) => {
    return { status, codes, headers: headersOf(route, status) };
  });
}

/** Equal responses have equal names: `SessionNotFoundOrBotNotFound`, and the headers they may have. */
function nameOf({ codes, headers }: ErrorAnswer): string {
  const isCounted = headers.includes('X-RateLimit-Limit');
  const isReplayed = headers.includes('Idempotent-Replayed');
  const ending = `${isCounted ? '' : '.uncounted'}${isReplayed ? '.replayed' : ''}`;
  return codes.map(toPascal).join('Or') + ending;
}

function toPascal(code: ErrorCode): string {
  return code.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function makeError({ codes, headers }: ErrorAnswer, components: Components): JsonObject {
  return {
    description: codes.map(describe).join(' '),
    // The same for programs.
    'x-errors': codes.map((code) => ({ code, message: ERRORS[code].message })),
    headers: makeHeaders(headers),
    content: {
      'application/json': { schema: makeSchema(answers.error, components) },
      'application/problem+json': { schema: makeSchema(answers.problem, components) },
    },
  };
}

function describe(code: ErrorCode): string {
  return `\`${code}\`: ${ERRORS[code].message}.`;
}

export function makeHeaders(names: readonly ResponseHeader[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
