/** Arbitrary socket messages: frames, almost valid frames, and junk. */

import fc from 'fast-check';
import { corrupted } from '../../game/src/testing/junk.ts';
import type { Subprotocol } from '../testing/sockets/both-protocols.ts';

export type Sent = string | Uint8Array<ArrayBuffer>;

/** For a socket on which session `s` has number 0. */
export function arbitraryFrame(s: string, subprotocol: Subprotocol): fc.Arbitrary<Sent> {
  const objects = arbitraryObject(s);
  if (subprotocol === 'matchd.v1') return objects;
  return fc.oneof({ weight: 1, arbitrary: objects }, { weight: 1, arbitrary: arbitraryList() });
}

function arbitraryObject(s: string): fc.Arbitrary<Sent> {
  const id = fc.constantFrom('1', 'x', '__proto__', 'constructor', '\u{1f600}');
  const session = fc.constantFrom(s, s, s, 'ses_none', '__proto__', 'toString');
  const valid = fc.oneof(
    fc.record({ t: fc.constant('act'), s: session, id, action: fc.jsonValue() }),
    fc.record({
      t: fc.constant('act'),
      s: session,
      id,
      action: fc.record({ column: fc.integer() }),
    }),
    fc.record({ t: fc.constant('resign'), s: session, id }),
    fc.record({ t: fc.constant('draw'), s: session, id, do: fc.constantFrom('offer', 'accept') }),
    fc.record({ t: fc.constant('entropy'), s: session, value: fc.constantFrom('a', '\u{1f600}') }),
    fc.record({ t: fc.constant('emote'), s: session, emote: fc.constantFrom('clap', 'wink') }),
    fc.record({ t: fc.constant('ping'), n: fc.double() }),
    fc.record({ t: fc.constant('sync'), s: session }),
    fc.record({ t: fc.constant('hello'), token: fc.string() }),
    fc.record({ t: fc.constant('hello'), resume: fc.dictionary(session, fc.double()) }),
  );
  const models = [
    { t: 'act', s, id: 'x', action: { column: 3 } },
    { t: 'hello', token: 'x', resume: { [s]: 1 } },
    { t: 'draw', s, id: 'x', do: 'offer' },
    { t: 'emote', s, emote: 'clap' },
  ];
  const deep = deepLists().map((text) => `{"t":"act","s":"${s}","id":"x","action":${text}}`);
  return fc.oneof(
    { weight: 12, arbitrary: valid.map(toText) },
    { weight: 2, arbitrary: deep },
    { weight: 2, arbitrary: corrupted(models).map(toText) },
    { weight: 1, arbitrary: fc.string() },
    { weight: 1, arbitrary: fc.json() },
    { weight: 1, arbitrary: fc.uint8Array().map((bytes) => Uint8Array.from(bytes)) },
  );
}

/** The lists of rule P12. */
function arbitraryList(): fc.Arbitrary<Sent> {
  const n = fc.oneof(fc.constantFrom<unknown>(0, 0, 0, 1, -1, 0.5, 1e300, '0', null), fc.nat());
  const id = fc.constantFrom('1', 'x', '__proto__', 'over', '', 'y'.repeat(65));
  const act = fc.tuple(n, id, fc.jsonValue());
  const move = fc.tuple(n, id, fc.record({ column: fc.integer() }));
  const masks = fc.tuple(n, fc.oneof(fc.nat(), fc.double()), fc.array(fc.nat(600)));
  const models = [
    [0, 'x', { column: 3 }],
    [0, 240, [2, 2, 18]],
  ];
  return fc.oneof(
    { weight: 4, arbitrary: fc.oneof(act, move, masks).map(toText) },
    { weight: 2, arbitrary: corrupted(models).map((junk) => toText(listed(junk))) },
    { weight: 1, arbitrary: fc.array(fc.jsonValue()).map(toText) },
    { weight: 1, arbitrary: deepLists().map((text) => `[0,"x",${text}]`) },
  );
}

/** Lists are corrupted as objects with their indexes as keys. */
function listed(junk: unknown): unknown {
  const isObject = typeof junk === 'object' && junk !== null && Object.hasOwn(junk, '0');
  return isObject ? Object.values(junk) : junk;
}

function deepLists(): fc.Arbitrary<string> {
  return fc.integer({ min: 1, max: 3_000 }).map((n) => `${'['.repeat(n)}${']'.repeat(n)}`);
}

/** Some junk is not JSON: then it is sent as it prints. */
export function toText(junk: unknown): string {
  try {
    return JSON.stringify(junk) ?? 'undefined';
  } catch {
    return Object.prototype.toString.call(junk);
  }
}
