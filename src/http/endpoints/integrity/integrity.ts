/** Device integrity: credentials created, listed and deleted, challenges issued (section 6). */

import { isProblem, makeProblem, type Problem } from '../../../contract/errors.ts';
import { quoteName, readField } from '../../../contract/fields.ts';
import {
  credentials,
  integrityQuery,
  platform as platformField,
  requestedMode,
} from '../../../contract/requests/integrity-requests.ts';
import { CREDENTIAL_FIELDS, type RegisteredCredential } from '../../../integrity/credential.ts';
import type { Platform } from '../../../integrity/verdict.ts';
import { makeTime } from '../../../match/frames/frames.ts';
import type { Challenge } from '../../../runtime/integrity/integrity-service.ts';
import type { CredentialRow } from '../../../store/integrity.ts';
import { actorOf } from '../../request/actor.ts';
import type { HttpDeps } from '../../request/deps.ts';
import type { Caller, Endpoint, Endpoints, Keep, Reply } from '../../request/exchange.ts';
import { makeReply } from '../../request/exchange.ts';
import { readQuery } from '../../request/query.ts';
import { mayRead, type RequestedWorld, requestedWorld } from '../../request/requested-world.ts';

type IntegrityEndpoints = Pick<
  Endpoints,
  'putIntegrity' | 'listIntegrity' | 'makeChallenge' | 'removeIntegrity'
>;

export function makeIntegrityEndpoints(deps: HttpDeps): IntegrityEndpoints {
  const { integrity } = deps;
  return {
    putIntegrity: ({ fields }, caller) => {
      const world = readWorld(fields, caller);
      if (isProblem(world)) return world;
      const asked = readRegistration(fields);
      if (isProblem(asked)) return asked;
      return {
        refusal: world.refusal,
        async perform(keep) {
          const makeAnswer = (row: CredentialRow) => makeReply(200, presentCredential(row));
          const row = await integrity.register(
            { tenant: caller.tenant.id, mode: world.mode },
            asked,
            actorOf(caller),
            keep && ((after) => keep(makeAnswer(after))),
          );
          return kept(makeAnswer(row), keep);
        },
      };
    },
    listIntegrity: ({ query }, caller) => {
      const asked = readQuery(integrityQuery, query);
      if (isProblem(asked)) return asked;
      const tenant = caller.tenant.id;
      const mode = asked.mode ?? caller.key.mode;
      return {
        refusal: null,
        async perform() {
          const rows = mayRead(caller, mode) ? await integrity.list({ tenant, mode }) : [];
          return makeReply(200, { data: rows.map(presentCredential), nextCursor: null });
        },
      };
    },
    makeChallenge: challengeEndpoint(deps),
    removeIntegrity: ({ params, query }, caller) => {
      const asked = readQuery(integrityQuery, query);
      if (isProblem(asked)) return asked;
      const world = requestedWorld(caller, asked.mode, 'test_key_live_integrity');
      if (isProblem(world)) return world;
      return {
        refusal: world.refusal,
        async perform(keep) {
          const platform = params['platform'] as Platform;
          const answer = makeReply(200, { platform, removed: true });
          const id = { tenant: caller.tenant.id, mode: world.mode, platform };
          const keepAnswer = keep && (() => keep(answer));
          const wasThere = await integrity.remove(id, actorOf(caller), keepAnswer);
          return wasThere ? kept(answer, keep) : makeProblem('credential_not_found');
        },
      };
    },
  };
}

function challengeEndpoint({ integrity, tokens }: HttpDeps): Endpoint {
  return ({ fields }, caller) => {
    const world = readWorld(fields, caller);
    if (isProblem(world)) return world;
    const platform = readField(platformField, fields['platform'], 'platform');
    if (isProblem(platform)) return platform;
    return {
      refusal: world.refusal,
      async perform(keep) {
        const makeAnswer = ({ seed, expiresAt }: Challenge) => {
          const body = { challenge: '', expiresAt: makeTime(expiresAt) };
          return makeReply(201, body, { kind: 'challenge', seed });
        };
        const keepAnswer = keep && ((challenge: Challenge) => keep(makeAnswer(challenge)));
        const { challenge: textOf } = tokens;
        const of = { tenant: caller.tenant.id, mode: world.mode };
        const made = await integrity.challenge(of, platform, textOf, keepAnswer);
        return kept(makeAnswer(made), keep);
      },
    };
  };
}

function readWorld(
  fields: Readonly<Record<string, unknown>>,
  caller: Caller,
): RequestedWorld | Problem {
  const mode = readField(requestedMode, fields['mode'], 'mode');
  return isProblem(mode) ? mode : requestedWorld(caller, mode, 'test_key_live_integrity');
}

function kept(reply: Reply, keep: Keep): Reply {
  return { ...reply, isStored: keep !== null };
}

function presentCredential({ mode, platform, credential, updatedAt }: CredentialRow): object {
  return { mode, platform, credential, updatedAt: makeTime(updatedAt) };
}

/** Rule I1: the platform, the credential, then its fields in order. */
function readRegistration(
  fields: Readonly<Record<string, unknown>>,
): RegisteredCredential | Problem {
  const platform = readField(platformField, fields['platform'], 'platform');
  if (isProblem(platform)) return platform;
  const given = fields['credential'];
  if (given === undefined || given === null) {
    return makeProblem('field_required', { field: 'credential' });
  }
  if (typeof given !== 'object' || Array.isArray(given)) {
    return makeProblem('invalid_field', { field: 'credential' });
  }
  return readCredential(platform, given as Readonly<Record<string, unknown>>);
}

function readCredential(
  platform: Platform,
  given: Readonly<Record<string, unknown>>,
): RegisteredCredential | Problem {
  const names: readonly string[] = CREDENTIAL_FIELDS[platform];
  const shape: Readonly<Record<string, (typeof credentials.ios.shape)['teamId']>> =
    credentials[platform].shape;
  const credential: Record<string, string> = {};
  for (const name of names) {
    const field = `credential.${name}`;
    const value = given[name];
    if (value === undefined || value === null) {
      return makeProblem('credential_field_required', { field, platform });
    }
    const read = readField(shape[name]!, value, field);
    if (isProblem(read)) return read;
    credential[name] = read;
  }
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    return makeProblem('invalid_field', { field: quoteName(`credential.${unknown}`) });
  }
  return { platform, credential } as unknown as RegisteredCredential;
}
