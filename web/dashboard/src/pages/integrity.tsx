/** Device integrity: a credential for each platform, pass rates by day and reason, the latest verdicts. */

import { useState } from 'preact/hooks';
import { ask } from '../api.ts';
import { canEdit, useHere, usePageUrl } from '../here.ts';
import { Id } from '../parts/copy.tsx';
import { Confirm } from '../parts/dialog.tsx';
import { type Field, Form } from '../parts/form.tsx';
import { Choice, useFilter } from '../parts/list.tsx';
import { Answer } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { useAnswer } from '../query.ts';
import type { Page, Verdict, World } from '../types.ts';

const REFRESH_MS = 30_000;

interface Credential {
  readonly mode: World;
  readonly platform: 'android' | 'ios';
  readonly credential: Readonly<Record<string, string>>;
  readonly updatedAt: string;
}

interface Rates {
  readonly isPartial: boolean;
  readonly days: readonly {
    readonly day: string;
    readonly platform: string;
    readonly passed: number;
    readonly failed: number;
    readonly error: number;
    readonly skipped: number;
  }[];
  readonly reasons: readonly { readonly reason: string; readonly count: number }[];
}

type VerdictRow = Verdict & {
  readonly sessionId: string;
  readonly game: string;
  readonly createdAt: string;
};

const TITLES: Readonly<Record<Credential['platform'], string>> = {
  android: 'Android: Play Integrity',
  ios: 'iOS: App Attest',
};

const FIELDS: Readonly<Record<Credential['platform'], readonly Field[]>> = {
  android: [
    { name: 'packageName', label: 'Package name', hint: 'e.g. com.example.game' },
    {
      name: 'googleCloudProjectNumber',
      label: 'Google Cloud project number',
      hint: 'Digits only: the project that requests the tokens.',
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

export function Integrity() {
  const { world } = useHere();
  return (
    <div>
      <h1>Device integrity</h1>
      <p class="lead">
        Credentials and verdicts of {world} mode. A verdict never stops a session: your backend
        decides.
      </p>
      <section class="card">
        <h2>Pass rates by day</h2>
        <PassRates />
      </section>
      <section class="card">
        <h2>Verdicts of the last day</h2>
        <Verdicts />
      </section>
      <Credentials />
    </div>
  );
}

/** Only checks with a verdict count. */
function passWords({ passed, failed }: Rates['days'][number]): string {
  const judged = passed + failed;
  return judged === 0 ? '—' : `${Math.round((100 * passed) / judged)} %`;
}

function PassRates() {
  const { api, world } = useHere();
  const rates = useAnswer<Rates>(`${api}/verdict-rates`, REFRESH_MS);
  return (
    <Answer of={rates}>
      {({ isPartial, days, reasons }) => (
        <>
          <p class="hint">
            {isPartial
              ? 'Of the 2,000 latest checked sessions.'
              : 'Of all checked sessions of the last 30 days that are still stored.'}{' '}
            Days are in UTC. The pass rate is the share of checks that were judged and passed.
          </p>
          <Table
            label="Pass rates by day"
            rows={days}
            keyOf={({ day, platform }) => day + platform}
            empty="No device was checked in the last 30 days."
            csv={`integrity-by-day-${world}`}
            columns={[
              { title: 'Day', cell: ({ day }) => day, value: ({ day }) => day },
              {
                title: 'Platform',
                cell: ({ platform }) => platform,
                value: ({ platform }) => platform,
              },
              {
                title: 'Pass rate',
                cell: (row) => <strong>{passWords(row)}</strong>,
                value: ({ passed, failed }) =>
                  passed + failed === 0 ? null : passed / (passed + failed),
              },
              { title: 'Passed', cell: ({ passed }) => passed, value: ({ passed }) => passed },
              { title: 'Failed', cell: ({ failed }) => failed, value: ({ failed }) => failed },
              { title: 'Error', cell: ({ error }) => error, value: ({ error }) => error },
              { title: 'Skipped', cell: ({ skipped }) => skipped, value: ({ skipped }) => skipped },
            ]}
          />
          <h3>Reasons</h3>
          <Table
            label="Reasons"
            rows={reasons}
            keyOf={({ reason }) => reason}
            empty="No check named a reason."
            csv={`integrity-reasons-${world}`}
            columns={[
              {
                title: 'Reason',
                cell: ({ reason }) => <code>{reason}</code>,
                value: ({ reason }) => reason,
              },
              { title: 'Checks', cell: ({ count }) => count, value: ({ count }) => count },
            ]}
          />
        </>
      )}
    </Answer>
  );
}

function Verdicts() {
  const { api, world } = useHere();
  const url = usePageUrl();
  const status = useFilter('verdict');
  const verdicts = useAnswer<Page<VerdictRow>>(`${api}/verdicts`, REFRESH_MS);
  return (
    <Answer of={verdicts}>
      {({ data }) => (
        <>
          <div class="filters">
            <Choice
              label="Verdict"
              all="Any verdict"
              values={['passed', 'failed', 'error', 'skipped']}
              filter={status}
            />
          </div>
          <Table
            label="Verdicts of the last day"
            rows={data.filter((each) => status[0] === '' || each.status === status[0])}
            keyOf={(row) => JSON.stringify(row)}
            empty={
              data.length === 0
                ? 'No device was checked in the last day.'
                : 'No verdicts match this filter.'
            }
            csv={`verdicts-${world}`}
            columns={[
              {
                title: 'When',
                cell: ({ createdAt }) => <Time at={createdAt} />,
                value: ({ createdAt }) => createdAt,
              },
              { title: 'Game', cell: ({ game }) => game, value: ({ game }) => game },
              {
                title: 'Platform',
                cell: ({ platform }) => platform,
                value: ({ platform }) => platform,
              },
              {
                title: 'Verdict',
                cell: (row) => <span class={`badge ${row.status}`}>{row.status}</span>,
                value: (row) => row.status,
              },
              {
                title: 'Reasons',
                cell: ({ reasons }) => reasons.join(', ') || 'none',
                value: ({ reasons }) => reasons.join(', '),
              },
              {
                title: 'Session',
                cell: ({ sessionId }) => <Id text={sessionId} href={url('sessions', sessionId)} />,
                value: ({ sessionId }) => sessionId,
              },
            ]}
          />
        </>
      )}
    </Answer>
  );
}

function Credentials() {
  const { api, world } = useHere();
  const own = useAnswer<Page<Credential>>(`${api}/v1/integrity?mode=${world}`);
  const live = useAnswer<Page<Credential>>(`${api}/v1/integrity?mode=live`);
  const refresh = (): void => {
    void own.refetch();
    void live.refetch();
  };
  return (
    <Answer of={own}>
      {({ data }) => (
        <Answer of={live}>
          {({ data: shared }) => (
            <>
              {(['android', 'ios'] as const).map((platform) => (
                <CredentialCard
                  key={platform}
                  platform={platform}
                  // Test mode uses the live credential if it has none (rule K3).
                  used={[...data, ...shared].find((each) => each.platform === platform) ?? null}
                  refresh={refresh}
                />
              ))}
            </>
          )}
        </Answer>
      )}
    </Answer>
  );
}

function CredentialCard({
  platform,
  used,
  refresh,
}: {
  readonly platform: Credential['platform'];
  readonly used: Credential | null;
  readonly refresh: () => void;
}) {
  const here = useHere();
  const { api, world, say } = here;
  const own = used?.mode === world ? used : null;
  return (
    <section class="card" aria-label={TITLES[platform]}>
      <h2>{TITLES[platform]}</h2>
      {used === null ? (
        <p>Not registered: checks are skipped.</p>
      ) : (
        <p>
          Registered <Time at={used.updatedAt} />
          {own === null ? ' in live mode.' : '.'}
        </p>
      )}
      {used !== null && own === null && (
        <p class="muted">
          {FIELDS[platform]
            .map(({ name, label }) => `${label}: ${used.credential[name]}`)
            .join(' · ')}
          . Test sessions are checked with this live credential. Register one below to use another
          in test mode.
        </p>
      )}
      {canEdit(here) ? (
        <Form
          key={own?.updatedAt ?? 'none'}
          fields={FIELDS[platform].map((field) => ({
            ...field,
            value: own?.credential[field.name] ?? '',
          }))}
          action={own === null ? 'Register' : 'Replace'}
          submit={async (credential) => {
            await ask(`${api}/v1/integrity`, { platform, credential }, 'PUT');
            say('The credential is registered.');
            refresh();
          }}
        />
      ) : (
        <p class="hint">Owners and developers can register credentials.</p>
      )}
      {own !== null && canEdit(here) && <Remove platform={platform} refresh={refresh} />}
    </section>
  );
}

function Remove({
  platform,
  refresh,
}: {
  readonly platform: Credential['platform'];
  readonly refresh: () => void;
}) {
  const { api, world, say } = useHere();
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <button type="button" class="danger" onClick={() => setAsking(true)}>
        Remove
      </button>
      {isAsking && (
        <Confirm
          title={`Remove the ${platform} credential?`}
          act="Remove"
          close={() => setAsking(false)}
          perform={async () => {
            await ask(`${api}/v1/integrity/${platform}`, undefined, 'DELETE');
            say('The credential is removed.');
            refresh();
          }}
        >
          {world === 'live'
            ? 'Checks are skipped from now on.'
            : 'Test sessions are checked with the live credential from now on, if there is one.'}
        </Confirm>
      )}
    </>
  );
}
