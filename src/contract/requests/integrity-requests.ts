/** Schemas of requests about device integrity (rules I1 and I4). */

import { z } from 'zod';
import { KEY_MODES, PLATFORMS } from '../values.ts';

const PACKAGE_CHARS_MAX = 255;

/** The fields of each platform's credential: unknown ones are refused (rule H4). */
export const credentials = {
  android: z
    .strictObject({
      packageName: z
        .string()
        .max(PACKAGE_CHARS_MAX)
        .regex(/^[A-Za-z][A-Za-z0-9_]*(?:\.[A-Za-z][A-Za-z0-9_]*)+$/)
        .meta({ description: "The app's id.", examples: ['com.example.game'] }),
      googleCloudProjectNumber: z
        .string()
        .regex(/^[1-9][0-9]{0,19}$/)
        .meta({
          description:
            'The number of the Google Cloud project that requests and decodes the tokens.',
          examples: ['123456789012'],
        }),
    })
    .meta({ id: 'AndroidCredential' }),
  ios: z
    .strictObject({
      bundleId: z
        .string()
        .regex(/^[A-Za-z0-9.-]{1,155}$/)
        .meta({ description: "The app's bundle identifier.", examples: ['com.example.game'] }),
      teamId: z
        .string()
        .regex(/^[A-Z0-9]{10}$/)
        .meta({ description: "The developer team's id at Apple.", examples: ['A1B2C3D4E5'] }),
    })
    .meta({ id: 'IosCredential' }),
} as const;

/** The fields of every call that names a player (rules I2, I3b to I3d). */
export const deviceFields = {
  platform: z.enum(PLATFORMS).nullish().meta({
    description: "The platform of the player's device, for the device check.",
  }),
  integrityToken: z.string().nullish().meta({
    description: "A token of the platform's device integrity API.",
  }),
};

export const platform = z.enum(PLATFORMS).meta({ description: 'The platform of the devices.' });

export const requestedMode = z.enum(KEY_MODES).nullish().meta({
  description: "Defaults to the key's mode.",
});

/** The mode whose credentials are listed or removed. */
export const integrityQuery = z.object({
  mode: z.enum(KEY_MODES).optional().meta({
    description: "Only credentials of this mode. Defaults to the key's mode.",
  }),
});

export const integrityRequest = z
  .object({
    mode: requestedMode,
    platform,
    credential: z.union([credentials.android, credentials.ios]),
  })
  .meta({ id: 'IntegrityRequest' });

export const challengeRequest = z
  .object({ mode: requestedMode, platform })
  .meta({ id: 'ChallengeRequest' });
