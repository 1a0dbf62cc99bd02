/** What a tenant registers for a platform, so that its devices can be checked (rule I1). */

import type { Platform } from './verdict.ts';

export interface AndroidCredential {
  readonly packageName: string;
  /** Digits; identifies the Google Cloud project whose account decodes the tokens. */
  readonly googleCloudProjectNumber: string;
}

export interface IosCredential {
  readonly bundleId: string;
  /** Apple's ten characters. */
  readonly teamId: string;
}

export type RegisteredCredential =
  | { readonly platform: 'android'; readonly credential: AndroidCredential }
  | { readonly platform: 'ios'; readonly credential: IosCredential };

/** The fields of each platform's credential, in the order in which they are checked. */
export const CREDENTIAL_FIELDS = {
  android: ['packageName', 'googleCloudProjectNumber'],
  ios: ['bundleId', 'teamId'],
} as const satisfies Record<Platform, readonly string[]>;

/** How App Attest names an app. */
export function appIdOf({ teamId, bundleId }: IosCredential): string {
  return `${teamId}.${bundleId}`;
}
