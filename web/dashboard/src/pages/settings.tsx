/** The tenant's settings for this mode (rule K9). */

import { ask } from '../api.ts';
import { canEdit, type Here, useHere } from '../here.ts';
import { Form } from '../parts/form.tsx';
import { Answer } from '../parts/states.tsx';
import { useAnswer } from '../query.ts';

interface SettingsAnswer {
  readonly rematch: string;
}

const MAKERS: Readonly<Record<string, string>> = {
  announce: 'Your backend creates it, told by session.rematch_agreed',
  create: 'The service creates it',
  off: 'Players are offered no rematch',
};

export function Settings() {
  const here = useHere();
  const settings = useAnswer<SettingsAnswer>(`${here.api}/v1/settings`);
  return (
    <div>
      <h1>Settings</h1>
      <p class="lead">They hold for {here.world} mode.</p>
      <section class="card">
        <h2>Rematch</h2>
        <p>
          After a match its players can agree on a rematch, with everybody one seat further. This
          says what happens once all of them want one.
        </p>
        <Answer of={settings}>
          {(now) =>
            canEdit(here) ? (
              <RematchForm here={here} now={now} changed={() => settings.refetch()} />
            ) : (
              <p>{MAKERS[now.rematch] ?? now.rematch}</p>
            )
          }
        </Answer>
      </section>
    </div>
  );
}

function RematchForm({
  here,
  now,
  changed,
}: {
  readonly here: Here;
  readonly now: SettingsAnswer;
  readonly changed: () => Promise<unknown>;
}) {
  return (
    <Form
      fields={[
        {
          name: 'rematch',
          label: 'When all players want a rematch',
          value: now.rematch,
          options: Object.entries(MAKERS),
        },
      ]}
      action="Save"
      submit={async ({ rematch }) => {
        await ask(`${here.api}/v1/settings`, { rematch }, 'PATCH');
        await changed();
        here.say('Settings saved.');
      }}
    />
  );
}
