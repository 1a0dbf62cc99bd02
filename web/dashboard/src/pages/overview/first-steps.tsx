/** The getting-started list, which checks itself off, and a first call to copy. */

import { useHere, usePageUrl } from '../../here.ts';
import { Copyable } from '../../parts/copy.tsx';
import { ownUrl } from '../../place.ts';
import type { Step } from '../../types.ts';

/** The label of each step, and its page. */
const STEPS: Readonly<Record<string, readonly [label: string, page: string]>> = {
  key_created: ['Create an API key', 'keys'],
  key_used: ['Call the API with it', 'explorer'],
  session_created: ['Create a session', 'explorer'],
  match_started: ['Have both players connect', 'sessions'],
  match_ended: ['Play a match to its end', 'sessions'],
  origins_set: ['Restrict a key to your origins', 'keys'],
  webhook_added: ['Set up a webhook', 'webhooks'],
  second_factor: ['Protect your account with a second factor', 'account'],
};

/** Nothing once every step is done. `isOpen`: it is expanded, as the first thing to do. */
export function GettingStarted({
  steps,
  isOpen,
}: {
  readonly steps: readonly Step[];
  readonly isOpen: boolean;
}) {
  const done = steps.filter(({ at }) => at !== null).length;
  if (done === steps.length) return null;
  const progress = `${done} of ${steps.length} done`;
  if (!isOpen) {
    return (
      <details class="card">
        <summary>Getting started: {progress}</summary>
        <Steps steps={steps} />
      </details>
    );
  }
  return (
    <section class="card">
      <h2>Getting started</h2>
      <p class="hint">{progress}. Each step ticks itself.</p>
      <Steps steps={steps} />
    </section>
  );
}

function Steps({ steps }: { readonly steps: readonly Step[] }) {
  const url = usePageUrl();
  return (
    <ol class="steps">
      {steps.map(({ name, at }) => {
        const [label, page] = STEPS[name] ?? [name, 'overview'];
        return (
          <li key={name} class={at === null ? '' : 'done'} data-step={name}>
            <span class="tick" aria-hidden="true">
              {at === null ? '○' : '✓'}
            </span>
            <span class="unseen">{at === null ? 'Open: ' : 'Done: '}</span>
            <a href={page === 'account' ? ownUrl('account') : url(page)}>{label}</a>
          </li>
        );
      })}
    </ol>
  );
}

/** A placeholder for the key, which is shown only when it is created. */
export function FirstCall() {
  const { world } = useHere();
  const command = [
    `curl -s ${location.origin}/v1/sessions`,
    `  -H 'Authorization: Bearer mk_${world}_…'`,
    "  -H 'Content-Type: application/json'",
    `  -d '{"game":"tictactoe","players":[{"id":"ann"},{"id":"ben"}]}'`,
  ].join(' \\\n');
  return (
    <details class="card">
      <summary>A first call to copy</summary>
      <p>Put your key in its place:</p>
      <Copyable text={command} />
    </details>
  );
}
