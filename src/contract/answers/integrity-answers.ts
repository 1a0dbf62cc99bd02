/** Schemas of responses about device integrity (rules I1, I3 and I4). */

import { z } from 'zod';
import { credentials } from '../requests/integrity-requests.ts';
import { KEY_MODES, PLATFORMS } from '../values.ts';

const time = z.iso.datetime({ precision: 3 });

const verdictFields = {
  platform: z.enum(PLATFORMS),
  status: z.enum(['passed', 'failed', 'error', 'skipped']).meta({
    description:
      '`failed`: the device did not pass. `error`: the check could not be completed. `skipped`: there was nothing to check.',
  }),
  rooted: z.boolean().nullable().optional().meta({
    description: 'Android only. True: the device does not meet device integrity. Null: unknown.',
  }),
  jailbroken: z.boolean().nullable().optional().meta({
    description: 'iOS only. True: the attestation or assertion was tampered with. Null: unknown.',
  }),
  reasons: z
    .array(z.string())
    .meta({ description: 'Machine-readable reasons; empty if the check passed.' }),
  bound: z.enum(['challenge', 'request', 'none']).meta({
    description: 'What binds the token to this request.',
  }),
  details: z.record(z.string(), z.unknown()).nullable().meta({
    description: "Further fields of the platform's verdict.",
  }),
  checkedAt: time,
  latencyMs: z.int().min(0),
};

export const verdict = z
  .strictObject(verdictFields)
  .meta({ id: 'Integrity', description: 'The result of a device check.' });

/** The verdict in the response to the call with the device's token. */
export const OWN_VERDICT = 'The device check of this call; absent if the call named no platform.';

export const playerVerdict = z
  .strictObject({
    playerId: z.string().nullable().meta({ description: 'Null after the player was erased.' }),
    ...verdictFields,
  })
  .meta({ id: 'PlayerIntegrity', description: "The check of one player's device." });

export const lobbyVerdict = z
  .strictObject({ mode: z.enum(KEY_MODES), ...verdictFields })
  .meta({ id: 'LobbyIntegrity', description: 'The device check of a lobby token.' });

export const credential = z
  .strictObject({
    mode: z.enum(KEY_MODES).meta({ description: 'The mode of the credential.' }),
    platform: z.enum(PLATFORMS),
    credential: z.union([credentials.android, credentials.ios]),
    updatedAt: time,
  })
  .meta({ id: 'IntegrityCredential' });

export const credentialList = z
  .strictObject({ data: z.array(credential), nextCursor: z.null() })
  .meta({ id: 'IntegrityCredentialList' });

export const credentialRemoved = z
  .strictObject({ platform: z.enum(PLATFORMS), removed: z.literal(true) })
  .meta({ id: 'IntegrityCredentialRemoved' });

export const challenge = z
  .strictObject({
    challenge: z.string().meta({
      description: '43 characters of base64url, to bind into one token of one device.',
    }),
    expiresAt: time,
  })
  .meta({ id: 'IntegrityChallenge' });
