/** Bodies and queries of the dashboard's own routes. */

import { z } from 'zod';
import { optionalTime, plainText, shortText } from '../fields.ts';
import { KEY_SCOPES, PLANS_OFFERED, ROLES } from '../values.ts';

const TOKEN_CHARS_MAX = 64;
const NAME_CHARS_MAX = 64;
const EMAIL_CHARS_MAX = 254;
/** Longer than any valid password, so that a password that is too long gets its own message. */
const PASSWORD_CHARS_MAX = 1_000;
const CODE_CHARS_MAX = 40;
const SEALED_CHARS_MAX = 400;
const CREDENTIAL_CHARS_MAX = 1_364;
const CLIENT_DATA_CHARS_MAX = 4_096;
const SIGNATURE_CHARS_MAX = 2_048;
const ATTESTATION_CHARS_MAX = 8_192;
/** At most 64 bytes, by the standard. */
const USER_HANDLE_CHARS_MAX = 86;
const ORIGIN_CHARS_MAX = 300;
const ORIGINS_MAX = 50;
/** An id of 128 characters, in base64url. */
const PLAYER_CURSOR_CHARS_MAX = 700;
const ACT_CHARS_MAX = 64;
const ACTOR_CHARS_MAX = 100;
const TIMELINE_MAX = 1_000;
/** A record's version in a query; -1 is before the first. */
const version = z
  .string()
  .regex(/^(?:-1|\d{1,9})$/)
  .transform(Number);
const OVERLAP_S_MAX = 7 * 86_400;

const token = shortText(1, TOKEN_CHARS_MAX);
const email = shortText(3, EMAIL_CHARS_MAX);
const password = shortText(1, PASSWORD_CHARS_MAX);
const code = shortText(1, CODE_CHARS_MAX);
/** Names of people, keys and tenants: no control characters, not blank. */
const name = shortText(1, NAME_CHARS_MAX)
  .regex(/^[^\p{C}]*$/u)
  .regex(/\S/);
const role = z.enum(ROLES);
const origins = z.array(shortText(1, ORIGIN_CHARS_MAX)).max(ORIGINS_MAX);
/** A time as text; null for never. */
const expiresAt = z.iso.datetime().nullable();

export const linkRequest = z.object({ token });
export const setupRequest = z.object({ token, email, name, password });
export const acceptRequest = z.object({ token, name, password });
export const resetRequest = z.object({ token, password });
/** The encoding of WebAuthn's fields. */
const base64url = (charsMax: number) => shortText(1, charsMax).regex(/^[\w-]+$/);
/** At most 1,023 bytes, by the standard. */
const credentialId = base64url(CREDENTIAL_CHARS_MAX);
const clientDataJSON = base64url(CLIENT_DATA_CHARS_MAX);
/** `PublicKeyCredential.toJSON()` of a signature. */
const passkey = z.object({
  id: credentialId,
  response: z.object({
    clientDataJSON,
    authenticatorData: base64url(SIGNATURE_CHARS_MAX),
    signature: base64url(SIGNATURE_CHARS_MAX),
    userHandle: base64url(USER_HANDLE_CHARS_MAX),
  }),
});
export const loginRequest = z.object({
  email,
  password,
  code: code.nullish(),
  passkey: passkey.nullish(),
});
export const passkeyLoginRequest = z.object({ passkey });

export const joinTenantRequest = z.object({ token });
export const passwordRequest = z.object({ current: password, next: password });
export const totpOfferRequest = z.object({ password });
export const totpConfirmRequest = z.object({ sealed: shortText(1, SEALED_CHARS_MAX), code });
export const totpDropRequest = z.object({ password, code });
/** The password may be left out for a while after a sign-in. */
export const passkeyOfferRequest = z.object({ password: password.nullish() });
export const passkeyAddRequest = z.object({
  sealed: shortText(1, SEALED_CHARS_MAX),
  name,
  /** `PublicKeyCredential.toJSON()` of a new credential. */
  passkey: z.object({
    id: credentialId,
    response: z.object({ clientDataJSON, attestationObject: base64url(ATTESTATION_CHARS_MAX) }),
  }),
});
export const passkeyRemoveRequest = z.object({ password: password.nullish() });

export const invitationRequest = z.object({ email, role });
export const roleRequest = z.object({ role });

export const keyRequest = z.object({
  name,
  /** Missing or null: all scopes. */
  scopes: z.array(z.enum(KEY_SCOPES)).min(1).nullish(),
  origins: origins.nullish(),
  requireOrigin: z.boolean().nullish(),
  expiresAt: expiresAt.optional(),
});
export const keyChangeRequest = z.object({
  name: name.nullish(),
  origins: origins.nullish(),
  requireOrigin: z.boolean().nullish(),
  expiresAt: expiresAt.optional(),
});
export const keyRotation = z.object({
  overlapSeconds: z.int().min(0).max(OVERLAP_S_MAX).nullish(),
});

export const pageQuery = z.object({
  limit: z.int().min(1).max(100).optional(),
  cursor: shortText(1, 100).optional(),
});
/** Rows from `from` on and before `to`, of one act, of one actor. */
export const auditQuery = pageQuery.extend({
  act: shortText(1, ACT_CHARS_MAX).optional(),
  actor: shortText(1, ACTOR_CHARS_MAX).optional(),
  from: optionalTime,
  to: optionalTime,
});
/** A signed head of the chain from an earlier response: the chain must continue from it. */
export const auditVerification = z.object({
  anchor: z
    .object({
      tenant: shortText(0, 100),
      n: z.int().min(1),
      hash: z.string().regex(/^[0-9a-f]{64}$/),
      at: shortText(1, 40),
      signature: z.object({
        keyId: shortText(1, 100),
        algorithm: z.literal('Ed25519'),
        value: shortText(1, 200),
      }),
    })
    .nullish(),
});
export const requestQuery = pageQuery.extend({
  errors: z.enum(['true', 'false']).optional(),
  /** Only requests about this session. */
  sessionId: shortText(1, TOKEN_CHARS_MAX).optional(),
});
/** Records after a version, or the latest before one. Without either: all. */
export const timelineQuery = z.object({
  after: version.optional(),
  before: version.optional(),
  limit: z.int().min(1).max(TIMELINE_MAX).optional(),
});
/** Days as `2026-11-21`, both included. */
export const usageQuery = z.object({
  from: shortText(10, 10).optional(),
  to: shortText(10, 10).optional(),
});
export const playerQuery = z.object({
  find: plainText(0, 128).optional(),
  limit: z.int().min(1).max(100).optional(),
  cursor: shortText(1, PLAYER_CURSOR_CHARS_MAX).optional(),
});

export const tenantRequest = z.object({
  name,
  slug: shortText(1, 40).nullish(),
  plan: z.enum(PLANS_OFFERED),
});
export const tenantChangeRequest = z.object({
  name: name.nullish(),
  plan: z.enum(PLANS_OFFERED).nullish(),
  active: z.boolean().nullish(),
});
