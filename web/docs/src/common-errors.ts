/** The errors that all calls of one kind share: shown once, not with every call. */

import type { Call } from './documents.ts';

/** With fewer calls of a kind no error counts as common. */
const COMPANIONS_MIN = 3;

/** Calls are of one kind when method and key are alike. */
export function makeCommonErrors(calls: readonly Call[]): (call: Call) => ReadonlySet<string> {
  const kinds = Map.groupBy(calls, kindOf);
  const common = new Map(Array.from(kinds, ([kind, group]) => [kind, commonTo(group)]));
  return (call) => common.get(kindOf(call)) ?? new Set();
}

/** Every method except GET has a body. */
function kindOf({ method, operation }: Call): string {
  return `${method === 'GET' ? 'read' : 'write'} ${operation.security.length}`;
}

function commonTo(calls: readonly Call[]): ReadonlySet<string> {
  if (calls.length < COMPANIONS_MIN) return new Set();
  const [first, ...others] = calls.map(codesOf);
  return new Set([...first!].filter((code) => others.every((codes) => codes.has(code))));
}

function codesOf({ answers }: Call): Set<string> {
  return new Set(
    answers.flatMap(([, answer]) => (answer['x-errors'] ?? []).map(({ code }) => code)),
  );
}
