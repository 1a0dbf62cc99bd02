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
  const [{ data }, found] = await Promise.all([
    ask<Page<Credential>>(`${api}/v1/integrity`),
    ask<Page<VerdictRow>>(`${api}/verdicts`),
  ]);
  verdicts.show(found.data);
  const cards = (['android', 'ios'] as const).map((platform) =>
    credentialCard(context, platform, data.find((each) => each.platform === platform) ?? null),
  );
  return el(
    'div',
    '',
    el('h1', '', 'Device integrity'),
    el('p', 'lead', 'Credentials are the same in both worlds. A verdict never stops a session.'),
    ...cards,
    el('section', 'card', el('h2', '', 'Verdicts of the last day'), verdicts.element),
  );
}

function credentialCard(
  context: Context,
  platform: Credential['platform'],
  known: Credential | null,
): HTMLElement {
  const { api, reload } = context;
  const title = platform === 'android' ? 'Android: Play Integrity' : 'iOS: App Attest';
  const state =
    known === null
      ? el('p', '', 'Not registered: checks are skipped.')
      : el('p', '', 'Registered ', time(known.updatedAt), '.');
  if (!canMake(context)) return el('section', 'card', el('h2', '', title), state);
  const fields = FIELDS[platform].map((field) => {
    const value = known?.credential[field.name];
    return value === undefined ? field : { ...field, value };
  });
  const remove = button('danger', 'Remove', async () => {
    if (
      !(await confirm(
        `Remove the ${platform} credential?`,
        'Checks are skipped from then on.',
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
  return el('section', 'card', el('h2', '', title), state, put);
}
