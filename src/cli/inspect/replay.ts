/**
 * `matchd replay verify`: verifies a match from its replay, and checks its signature. Needs no
 * secret.
 */

import { readFileSync, statSync } from 'node:fs';
import { findStandIn, type Games } from '../../games/games.ts';
import { type Coverage, coverageOfReplay } from '../../match/replay/coverage.ts';
import { verifyReplay } from '../../match/replay/replay.ts';
import type { Replay } from '../../match/replay/replay-form.ts';
import { parseReplay, REPLAY_BYTES_MAX } from '../../match/replay/replay-form.ts';
import type { ReplayCheck } from '../../match/replay/verify.ts';
import { refuseRules } from '../../match/replay/verify.ts';
import { checkReplay } from '../../runtime/signing/replay-signature.ts';
import { type PublicKey, parsePublicKeys } from '../../runtime/signing/signer.ts';
import { type Answer, EXIT_CODES, failed, type Refusal } from '../terminal/answer.ts';
import { paint } from '../terminal/paint.ts';

/** `keys`: a file or an address with the public keys as a JWK set; null leaves the signature unchecked. */
export async function verifyReplayFile(
  file: string,
  keys: string | null,
  games: Games,
): Promise<Answer | Refusal> {
  const source = readSource(file, REPLAY_BYTES_MAX);
  if (typeof source !== 'string') return failed(`${file} cannot be read: ${source.message}`);
  const replay = parseReplay(source);
  if (typeof replay === 'string') return failed(`${file} is not a replay: ${replay}`);
  const known = keys === null ? null : await readKeys(keys);
  if (known !== null && 'message' in known) return failed(`${keys}: ${known.message}`);
  const signature = known === null ? NOT_CHECKED : checkReplay(known, JSON.parse(source));
  const check = withSignature(redo(games, replay), signature);
  const covers = coverageOfReplay(isRedoable(games, replay), signature.state === 'valid');
  return {
    json: { ...check, signature, covers },
    text: [`${file}: ${describe(games, replay, check)}`, ...describeCover(signature, covers)].join(
      '\n',
    ),
    exit: check.ok ? EXIT_CODES.done : EXIT_CODES.failed,
  };
}

/** The signature as the answer names it. */
type SignatureFound =
  | ReturnType<typeof checkReplay>
  | { readonly state: 'not_checked'; readonly keyId: null };

const NOT_CHECKED = { state: 'not_checked', keyId: null } as const;

/** Why a replay is wrong by its signature; null where it is not. */
const WRONG: Readonly<Record<SignatureFound['state'], string | null>> = {
  valid: null,
  not_checked: null,
  invalid: 'The signature does not match: the replay was changed',
  unknown_key: 'It was signed with a key that is not in --keys',
  absent: 'It is not signed',
};

/** What the rules find comes first: it names a record. */
function withSignature(redone: ReplayCheck, { state }: SignatureFound): ReplayCheck {
  const error = WRONG[state];
  return redone.ok && error !== null ? { ok: false, v: null, error } : redone;
}

function describeCover({ state, keyId }: SignatureFound, covers: Coverage): string[] {
  const { rules, signature, notCovered } = covers;
  const list = (title: string, parts: readonly string[]) =>
    parts.length === 0 ? [] : [title, ...parts.map((part) => `  ${part}`)];
  return [
    ...list('Checked by the rules:', rules),
    ...list(`Checked by the signature of key ${keyId} alone:`, signature),
    ...list('Not covered:', notCovered),
    ...(state === 'not_checked'
      ? ['The signature was not checked: use --keys with the public keys.']
      : []),
  ];
}

/** Of a set of keys: one key or many, never so much. */
const KEYS_BYTES_MAX = 64 * 1_024;
const KEYS_WAIT_MS = 10_000;

async function readKeys(
  from: string,
): Promise<readonly PublicKey[] | { readonly message: string }> {
  const text = /^https?:\/\//.test(from) ? await fetchKeys(from) : readSource(from, KEYS_BYTES_MAX);
  if (typeof text !== 'string') return text;
  const keys = parsePublicKeys(text);
  return keys ?? { message: 'no JWK set with Ed25519 keys' };
}

async function fetchKeys(url: string): Promise<string | { readonly message: string }> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(KEYS_WAIT_MS) });
    if (!response.ok) return { message: `answered ${response.status}` };
    const text = await response.text();
    return text.length > KEYS_BYTES_MAX ? { message: 'the answer is too long' } : text;
  } catch (error) {
    return { message: (error as Error).message };
  }
}

function isRedoable(games: Games, replay: Replay): boolean {
  const engine = findStandIn(games, replay)?.game ?? null;
  return engine !== null && refuseRules(engine, replay.rulesVersion) === null;
}

function readSource(file: string, bytesMax: number): string | { readonly message: string } {
  try {
    const { size } = statSync(file);
    if (size > bytesMax) return { message: `it has more than ${bytesMax} bytes` };
    return readFileSync(file, 'utf8');
  } catch (error) {
    return { message: (error as Error).message };
  }
}

/** An engine that throws on a record was given one that no match of ours contains. */
function redo(games: Games, replay: Replay): ReplayCheck {
  try {
    return verifyReplay(games, replay);
  } catch (error) {
    return { ok: false, v: null, error: `The engine failed: ${(error as Error).message}` };
  }
}

function describe(games: Games, replay: Replay, check: ReplayCheck): string {
  const { game, rulesVersion, variant } = replay;
  if (!check.ok) {
    if (check.v !== null) return `${paint('bad', 'wrong')} at record ${check.v}: ${check.error}`;
    const engine = findStandIn(games, replay)?.game ?? null;
    const isPlayedByOthers = engine !== null && refuseRules(engine, rulesVersion) !== null;
    return isPlayedByOthers ? check.error : `${paint('bad', 'wrong')}: ${check.error}`;
  }
  const state = check.hash === null ? 'no final state' : `state ${check.hash}`;
  return `${paint('good', 'right')}, ${game} version ${rulesVersion} (${variant}), ${check.records} records, ${state}`;
}
