/** The API explorer: calls with bodies that work; in live mode it only reads. */

import { useState } from 'preact/hooks';
import { askRaw } from '../api.ts';
import { canMake, useHere } from '../here.ts';
import { JsonBox } from '../parts/json-box.tsx';
import { Failure } from '../parts/states.tsx';
import { SAMPLES } from './explorer-samples.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

type Answered = Awaited<ReturnType<typeof askRaw>>;

export function Explorer() {
  const here = useHere();
  const isReading = here.world === 'live' || !canMake(here);
  const samples = SAMPLES.filter(({ method }) => !isReading || method === 'GET');
  const first = samples[0]!;
  const [picked, setPicked] = useState(0);
  const [method, setMethod] = useState<string>(first.method);
  const [path, setPath] = useState(first.path);
  const [body, setBody] = useState('');
  const [answer, setAnswer] = useState<Answered | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const pick = (place: number): void => {
    const sample = samples[place]!;
    setPicked(place);
    setMethod(sample.method);
    setPath(sample.path);
    setBody(sample.body === undefined ? '' : JSON.stringify(sample.body, null, 2));
  };
  const send = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    setAnswer(null);
    try {
      const isBare = method === 'GET' || body.trim() === '';
      const asked = isBare ? undefined : (JSON.parse(body) as object);
      setAnswer(await askRaw(here.api + path, method, asked));
    } catch (reason) {
      setError(
        reason instanceof SyntaxError
          ? new Error(`The body is no JSON: ${reason.message}`)
          : reason,
      );
    }
    setBusy(false);
  };
  return (
    <div>
      <h1>API explorer</h1>
      <p class="lead">
        {isReading
          ? 'Read anything here. Calls that change something are left to your backend.'
          : 'Call any endpoint in test mode as yourself; no key needed.'}
      </p>
      <form class="card explorer" onSubmit={send}>
        <select
          aria-label="Call"
          value={String(picked)}
          onChange={({ currentTarget }) => pick(Number(currentTarget.value))}
        >
          {samples.map(({ title }, place) => (
            <option key={title} value={String(place)}>
              {title}
            </option>
          ))}
        </select>
        <div class="line">
          <select
            class="method"
            aria-label="Method"
            value={method}
            onChange={({ currentTarget }) => setMethod(currentTarget.value)}
          >
            {(isReading ? (['GET'] as const) : METHODS).map((name) => (
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
            onInput={({ currentTarget }) => setPath(currentTarget.value)}
          />
        </div>
        {method !== 'GET' && (
          <textarea
            class="mono"
            aria-label="Body, as JSON"
            rows={8}
            spellcheck={false}
            value={body}
            onInput={({ currentTarget }) => setBody(currentTarget.value)}
          />
        )}
        <div class="actions">
          <button type="submit" class="primary" disabled={isBusy}>
            Send
          </button>
        </div>
      </form>
      {error !== null && <Failure error={error} />}
      <p class={`verified ${(answer?.status ?? 0) < 400 ? 'good' : 'problem'}`} role="status">
        {answer !== null && `${answer.status} · ${answer.requestId}`}
      </p>
      {answer !== null && <JsonBox label="Answer" value={answer.json} />}
    </div>
  );
}
