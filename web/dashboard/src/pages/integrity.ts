/** Device integrity: a credential for each platform, and the verdicts of the last day. */

import { ask } from '../api.ts';
import { type Context, canMake } from '../page.ts';
import { pageUrl } from '../place.ts';
import type { Page, Verdict } from '../types.ts';
import { confirm } from '../ui/dialog.ts';
import { button, el, link } from '../ui/dom.ts';
import { type Field, form } from '../ui/form.ts';
import { makeTable } from '../ui/table.ts';
import { time } from '../ui/time.ts';

interface Credential {
  readonly mode: 'live' | 'test';
  readonly platform: 'android' | 'ios';
  readonly credential: Readonly<Record<string, string>>;
  readonly updatedAt: string;
}

type VerdictRow = Verdict & {
  readonly sessionId: string;
  readonly game: string;
  readonly createdAt: string;
};

const FIELDS: Readonly<Record<Credential['platform'], readonly Field[]>> = {
  android: [
    { name: 'packageName', label: 'Package name', hint: 'e.g. com.example.game' },
    {
      name: 'googleCloudProjectNumber',
      label: 'Google Cloud project number',
      hint: 'Digits only: the project that asks for the tokens.',
    },
  ],
  ios: [
    { name: 'bundleId', label: 'Bundle identifier', hint: 'e.g. com.example.game' },
    {
      name: 'teamId',
      label: 'Team id',
      hint: 'Ten characters, from your Apple developer account.',
    },
  ],
};

export async function integrity(context: Context): Promise<HTMLElement> {
  const { api, place, world } = context;
  const verdicts = makeTable<VerdictRow>(
    'Verdicts of the last day',
    [
      { title: 'When', cell: ({ createdAt }) => time(createdAt) },
      { title: 'Platform', cell: ({ platform }) => platform },
      { title: 'Verdict', cell: ({ status }) => el('span', `badge ${status}`, status) },
      { title: 'Reasons', cell: ({ reasons }) => reasons.join(', ') || '—' },
      {
        title: 'Session',
        cell: ({ sessionId }) =>
          link(pageUrl(place.slug, world, 'sessions', sessionId), 'id', sessionId),
      },
    ],
    ({ sessionId, platform }) => sessionId + platform,
    'No device was checked in the last day.',
  );
  const [own, live, found] = await Promise.all([
    ask<Page<Credential>>(`${api}/v1/integrity?mode=${world}`),
    ask<Page<Credential>>(`${api}/v1/integrity?mode=live`),
    ask<Page<VerdictRow>>(`${api}/verdicts`),
  ]);
  verdicts.show(found.data);
  // What the test world has none of it uses of the live one (rule K3).
  const cards = (['android', 'ios'] as const).map((platform) => {
    const known = [...own.data, ...live.data].find((each) => each.platform === platform);
    return credentialCard(context, platform, known ?? null);
  });
  return el(
    'div',
    '',
    el('h1', '', 'Device integrity'),
    el('p', 'lead', `Credentials of the ${world} world. A verdict never stops a session.`),
    ...cards,
    el('section', 'card', el('h2', '', 'Verdicts of the last day'), verdicts.element),
  );
}

function credentialCard(
  context: Context,
  platform: Credential['platform'],
  used: Credential | null,
): HTMLElement {
  const { api, reload, world } = context;
  const title = platform === 'android' ? 'Android: Play Integrity' : 'iOS: App Attest';
  const known = used?.mode === world ? used : null;
  const state =
    used === null
      ? el('p', '', 'Not registered: checks are skipped.')
      : el('p', '', 'Registered ', time(used.updatedAt), known ? '.' : ' in the live world.');
  const shared = used === null || known ? [] : sharedCredential(used, platform);
  if (!canMake(context)) return el('section', 'card', el('h2', '', title), state, ...shared);
  const fields = FIELDS[platform].map((field) => {
    const value = known?.credential[field.name];
    return value === undefined ? field : { ...field, value };
  });
  const remove = button('danger', 'Remove', async () => {
    if (
      !(await confirm(
        `Remove the ${platform} credential?`,
        world === 'live'
          ? 'Checks are skipped from then on.'
          : 'Test sessions are checked by the live credential from then on, if there is one.',
        'Remove',
      ))
    ) {
      return;
    }
    await ask(`${api}/v1/integrity/${platform}`, undefined, 'DELETE');
    reload('Removed.');
  });
  const put = form(
    fields,
    known === null ? 'Register' : 'Replace',
    async (credential) => {
      await ask(`${api}/v1/integrity`, { platform, credential }, 'PUT');
      reload('Registered.');
    },
    known === null ? null : remove,
  );
  return el('section', 'card', el('h2', '', title), state, ...shared, put);
}

/** The live credential, as the test world reads it. */
function sharedCredential(
  { credential }: Credential,
  platform: Credential['platform'],
): HTMLElement[] {
  const values = FIELDS[platform].map(({ name, label }) => `${label}: ${credential[name]}`);
  return [
    el('p', 'muted', values.join(' · ')),
    el(
      'p',
      '',
      'Test sessions are checked by this live credential, which is changed in the live world. ',
      'Register one below to use another in the test world.',
    ),
  ];
}
