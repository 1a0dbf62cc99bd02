/** The API explorer: calls with working bodies; in live mode it only reads. */

import { useMemo, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { askRaw } from '../api.ts';
import { canEdit, useHere } from '../here.ts';
import { JsonBox } from '../parts/json-box.tsx';
import { Failure } from '../parts/states.tsx';
import { SAMPLES, type Sample } from './explorer-samples.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** The choice of the call that the address names. */
const LINKED = 'linked';

type Answered = Awaited<ReturnType<typeof askRaw>>;

/** A call in the form. */
interface Call {
  readonly method: string;
  readonly path: string;
  /** JSON; blank for none. */
  readonly body: string;
}

const callOf = ({ method, path, body }: Sample): Call => ({
  method,
  path,
  body: body === undefined ? '' : JSON.stringify(body, null, 2),
});

/** The call that the address names, as the reference links to it; null for none that can be made. */
function linkedCall({ method = '', path = '', body = '' }: Readonly<Record<string, string>>) {
  const isCall = METHODS.some((each) => each === method) && path.startsWith('/');
  return isCall ? { method, path, body: indented(body) } : null;
}

/** What is no JSON stays as it is: sending says so. */
function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

export function Explorer() {
  const here = useHere();
  const { query } = useLocation();
  const linked = useMemo(() => linkedCall(query), [query]);
  const isReading = here.world === 'live' || !canEdit(here);
  const samples = SAMPLES.filter(({ method }) => !isReading || method === 'GET');
  const isRefused = linked !== null && isReading && linked.method !== 'GET';
  const [answer, setAnswer] = useState<Answered | null>(null);
  const [error, setError] = useState<unknown>(null);
  const send = async ({ method, path, body }: Call): Promise<void> => {
    setError(null);
    setAnswer(null);
    try {
      const isBare = method === 'GET' || body.trim() === '';
      setAnswer(await askRaw(here.api + path, method, isBare ? undefined : parseBody(body)));
    } catch (reason) {
      setError(reason);
    }
  };
  return (
    <div>
      <h1>API explorer</h1>
      <p class="lead">
        {isReading
          ? 'Read anything here. Calls that change something are left to your backend.'
          : 'Call any endpoint in test mode as yourself; no key needed.'}
      </p>
      {isRefused && (
        <p class="problem">
          {linked.method} {linked.path} changes something: it can be tried in test mode, as an owner
          or developer.
        </p>
      )}
      <CallForm
        key={`${isReading} ${JSON.stringify(linked)}`}
        linked={isRefused ? null : linked}
        samples={samples}
        methods={isReading ? ['GET'] : METHODS}
        send={send}
      />
      {error !== null && <Failure error={error} />}
      <p class={`verified ${(answer?.status ?? 0) < 400 ? 'good' : 'problem'}`} role="status">
        {answer !== null && `${answer.status} · ${answer.requestId}`}
      </p>
      {answer !== null && <JsonBox label="Answer" value={answer.json} />}
    </div>
  );
}

function parseBody(text: string): object {
  try {
    return JSON.parse(text) as object;
  } catch (error) {
    throw new Error(`The body is not JSON: ${(error as Error).message}`);
  }
}

function CallForm({
  linked,
  samples,
  methods,
  send,
}: {
  /** Shown first. */
  readonly linked: Call | null;
  readonly samples: readonly Sample[];
  readonly methods: readonly string[];
  readonly send: (call: Call) => Promise<void>;
}) {
  const [picked, setPicked] = useState(linked === null ? '0' : LINKED);
  const [call, setCall] = useState<Call>(() => linked ?? callOf(samples[0]!));
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    await send(call);
    setBusy(false);
  };
  return (
    <form class="card explorer" onSubmit={submit}>
      <select
        aria-label="Call"
        value={picked}
        onChange={({ currentTarget: { value } }) => {
          setPicked(value);
          setCall(value === LINKED ? linked! : callOf(samples[Number(value)]!));
        }}
      >
        {linked !== null && <option value={LINKED}>From the reference</option>}
        {samples.map(({ title }, place) => (
          <option key={title} value={String(place)}>
            {title}
          </option>
        ))}
      </select>
      <CallFields call={call} methods={methods} change={(part) => setCall({ ...call, ...part })} />
      <div class="actions">
        <button type="submit" class="primary" disabled={isBusy}>
          Send
        </button>
      </div>
    </form>
  );
}

function CallFields({
  call: { method, path, body },
  methods,
  change,
}: {
  readonly call: Call;
  readonly methods: readonly string[];
  readonly change: (part: Partial<Call>) => void;
}) {
  return (
    <>
      <div class="line">
        <select
          class="method"
          aria-label="Method"
          value={method}
          onChange={({ currentTarget }) => change({ method: currentTarget.value })}
        >
          {methods.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
        <input
          type="text"
          class="path mono"
          aria-label="Path"
          spellcheck={false}
          value={path}
          onInput={({ currentTarget }) => change({ path: currentTarget.value })}
        />
      </div>
      {method !== 'GET' && (
        <textarea
          class="mono"
          aria-label="Body, as JSON"
          rows={8}
          spellcheck={false}
          value={body}
          onInput={({ currentTarget }) => change({ body: currentTarget.value })}
        />
      )}
    </>
  );
}
