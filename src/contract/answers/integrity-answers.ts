/** Schemas of responses about device integrity (rules I1, I3 and I4). */

import { z } from 'zod';
import { credentials } from '../requests/integrity-requests.ts';
import { KEY_MODES, PLATFORMS } from '../values.ts';

const time = z.iso.datetime({ precision: 3 });

const verdictFields = {
  platform: z.enum(PLATFORMS),
  status: z.enum(['passed', 'failed', 'error', 'skipped']).meta({
    description:
      '`failed`: judged and not good; `error`: it could not be judged; `skipped`: nothing to judge.',
  }),
  rooted: z.boolean().nullable().optional().meta({
    description: 'On android. True: Google does not vouch for the device. Null: no statement.',
  }),
  jailbroken: z.boolean().nullable().optional().meta({
    description: 'On ios. True: the proof was tampered with. Null: no statement.',
  }),
  reasons: z.array(z.string()).meta({ description: 'For programs; empty when all is well.' }),
  bound: z.enum(['challenge', 'request', 'none']).meta({
    description: 'What ties the token to this request.',
  }),
  details: z.record(z.string(), z.unknown()).nullable().meta({
    description: 'What the platform said beside it.',
  }),
  checkedAt: time,
  latencyMs: z.int().min(0),
};

export const verdict = z
  .strictObject(verdictFields)
  .meta({ id: 'Integrity', description: 'What the check of a device found.' });

/** The verdict in the response to the call with the device's token. */
export const OWN_VERDICT = 'What the check of this call found; absent when it named no platform.';

export const playerVerdict = z
  .strictObject({
    playerId: z.string().nullable().meta({ description: 'Null once the player was erased.' }),
    ...verdictFields,
  })
  .meta({ id: 'PlayerIntegrity', description: "What the check of one player's device found." });

export const lobbyVerdict = z
  .strictObject({ mode: z.enum(KEY_MODES), ...verdictFields })
  .meta({ id: 'LobbyIntegrity', description: "What the check of a lobby token's device found." });

export const credential = z
  .strictObject({
    mode: z.enum(KEY_MODES).meta({ description: 'The world that it is registered in.' }),
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
      description: 'To be bound into one token of one device: 43 characters of base64url.',
    }),
    expiresAt: time,
  })
  .meta({ id: 'IntegrityChallenge' });
