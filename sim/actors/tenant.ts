/**
 * A tenant's backend: sends HTTP requests, and repeats each with the same key until its result is
 * known.
 */

import type { Chance } from '../kernel/chance.ts';
import type { Answer } from '../world/network.ts';
import { PUBLIC_URL } from '../world/node.ts';
import type { Scene } from './scene.ts';

export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: object;
}

export interface ApiResponse {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked into field by field.
  readonly json: any;
}

/** Every response to one request, under its Idempotency-Key; null for none. */
export interface SentRequest {
  readonly ask: ApiRequest;
  readonly key: string | null;
  readonly answers: ApiResponse[];
}

export interface Backend {
  readonly tenant: string;
  readonly sent: readonly SentRequest[];
  /** Requests that were admitted, by counter and window (rule H6). */
  readonly windows: ReadonlyMap<string, number>;
  /** Repeats until the response is no temporary failure; null when time is up. */
  ask(ask: ApiRequest): Promise<ApiResponse | null>;
}

export interface BackendDeps {
  readonly scene: Scene;
  readonly chance: Chance;
  readonly tenant: string;
  /** The text of its API key. */
  readonly apiKey: string;
  /** Examines every response: everything it names must be the tenant's own. */
  readonly look: (tenant: string, text: string) => void;
}

const AGAIN_MS_MAX = 3_000;
/** After this many attempts it gives up: a tenant's job would be retried by hand. */
const ATTEMPTS_MAX = 40;

export function makeBackend(deps: BackendDeps): Backend {
  const sent: SentRequest[] = [];
  const windows = new Map<string, number>();
  let keys = 0;
  return {
    tenant: deps.tenant,
    sent,
    windows,
    async ask(ask) {
      const { scene, chance } = deps;
      keys += 1;
      const key = ask.method === 'GET' ? null : `${deps.tenant}-${keys}`;
      const request: SentRequest = { ask, key, answers: [] };
      sent.push(request);
      for (let tries = 0; tries < ATTEMPTS_MAX; tries++) {
        const isTwice = key !== null && scene.has('twice') && chance.hit(0.15);
        const other = isTwice ? once(deps, request, windows) : null;
        const told = await once(deps, request, windows);
        const second = await other;
        const settled = [told, second].find((each) => each != null && isSettled(each.status));
        if (settled != null) return settled;
        await scene.sleep(200 + chance.fraction() * AGAIN_MS_MAX);
      }
      return null;
    },
  };
}

/** Whether a repeat with the same key gets the same response. */
function isSettled(status: number): boolean {
  return status < 500 && status !== 429;
}

async function once(
  { scene, chance, tenant, apiKey, look }: BackendDeps,
  { ask, key, answers }: SentRequest,
  windows: Map<string, number>,
): Promise<ApiResponse | null> {
  const node = scene.balance(chance);
  if (node === null) return null;
  const headers: Record<string, string> = { authorization: `Bearer ${apiKey}` };
  if (key !== null) headers['idempotency-key'] = key;
  if (ask.body !== undefined) headers['content-type'] = 'application/json';
  const body = ask.body === undefined ? {} : { body: JSON.stringify(ask.body) };
  const request = new Request(`${PUBLIC_URL}${ask.path}`, { method: ask.method, headers, ...body });
  const answer = await scene.network.ask(node, request);
  scene.trace.note('answer', ask.method, ask.path, answer?.status ?? 'none');
  if (answer === null) return null;
  look(tenant, answer.text);
  // A single process counts for itself; nodes of a cluster count together.
  countWindow(windows, answer, scene.plan.isCluster ? '' : node.id);
  const isJson = answer.headers.get('content-type')?.includes('json') === true;
  const told: ApiResponse = {
    status: answer.status,
    json: isJson ? JSON.parse(answer.text) : null,
  };
  // A 409 for a concurrent repeat is recognized by its code only.
  if (answer.headers.get('x-error-code') === 'idempotency_in_progress') {
    return { ...told, status: 503 };
  }
  if (isSettled(told.status)) answers.push(told);
  return told;
}

function countWindow(
  windows: Map<string, number>,
  { status, headers }: Answer,
  counter: string,
): void {
  const reset = headers.get('x-ratelimit-reset');
  if (reset === null || status === 429) return;
  const window = `${counter} ${reset}`;
  windows.set(window, (windows.get(window) ?? 0) + 1);
}
