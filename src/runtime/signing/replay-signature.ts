/** Signs an exported replay, so that others can verify it (rule S7a). */

import type { Json } from '../../../game/src/game.ts';
import { canonicalJson } from '../../../game/src/json.ts';
import type { Replay } from '../../match/replay/replay-form.ts';
import {
  checkSignature,
  type PublicKey,
  type Signature,
  type SignatureCheck,
  type Signer,
} from './signer.ts';

export type SignedReplay = Replay & { readonly signature: Signature };

/** The signature covers the canonical JSON of everything else. */
export function signReplay(signer: Signer, replay: Replay): SignedReplay {
  return { ...replay, signature: signer.sign('replay', canonicalJson(replay as unknown as Json)) };
}

/** Of any JSON value: all of it is covered, known fields or not. Never throws. */
export function checkReplay(
  keys: readonly PublicKey[],
  value: unknown,
): { readonly state: SignatureCheck | 'absent'; readonly keyId: string | null } {
  const { signature, ...rest } = (value ?? {}) as { readonly signature?: unknown };
  if (signature === undefined) return { state: 'absent', keyId: null };
  if (!isSignature(signature)) return { state: 'invalid', keyId: null };
  const text = textOf(rest as Json);
  const state = text === null ? 'invalid' : checkSignature(keys, 'replay', text, signature);
  return { state, keyId: signature.keyId };
}

/** Null when it is nested too deeply. */
function textOf(value: Json): string | null {
  try {
    return canonicalJson(value);
  } catch {
    return null;
  }
}

function isSignature(value: unknown): value is Signature {
  if (typeof value !== 'object' || value === null) return false;
  const fields = ['keyId', 'algorithm', 'value'];
  const isWhole = Object.keys(value).every((key) => fields.includes(key));
  return isWhole && fields.every((key) => typeof (value as never)[key] === 'string');
}
