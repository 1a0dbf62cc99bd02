/** The API explorer: calls of the interface with bodies that work; in the live world it only reads. */

import { askRaw } from '../api.ts';
import { type Context, canMake } from '../page.ts';
import { button, el, withAttributes } from '../ui/dom.ts';

interface Sample {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly title: string;
  readonly body?: object;
}

const PLAYERS = [{ id: 'ann', displayName: 'Ann' }, { id: 'ben' }];

export const SAMPLES: readonly Sample[] = [
  { method: 'GET', path: '/v1/whoami', title: 'Who this is' },
  { method: 'GET', path: '/v1/games', title: 'List games' },
  { method: 'GET', path: '/v1/sessions?limit=5', title: 'List sessions' },
  {
    method: 'POST',
    path: '/v1/sessions',
    title: 'Create a session for two',
    body: { game: 'tictactoe', players: PLAYERS },
  },
  {
    method: 'POST',
    path: '/v1/sessions',
    title: 'Create a private room',
    body: { game: 'checkers', matchType: 'private', players: [{ id: 'ann' }] },
  },
  {
    method: 'POST',
    path: '/v1/sessions',
    title: 'Train against the service',
    body: { game: 'connect4', mode: 'training', options: { botDifficulty: 'easy' } },
  },
  {
    method: 'POST',
    path: '/v1/bots',
    title: 'Register a bot',
    body: { game: 'connect4', name: 'Tilly', kind: 'builtin', difficulty: 'medium' },
  },
  { method: 'GET', path: '/v1/bots', title: 'List bots' },
  { method: 'GET', path: '/v1/rooms?game=tictactoe', title: 'Rooms that can be watched' },
  {
    method: 'POST',
    path: '/matchmaking/hosted/ticket?game=ludo',
    title: 'Create a ticket',
    body: {},
  },
  { method: 'GET', path: '/matchmaking/hosted/pool?game=ludo', title: 'The pool' },
  { method: 'GET', path: '/v1/leaderboards?game=tictactoe', title: 'The best of a game' },
  { method: 'GET', path: '/v1/events?limit=5', title: 'Events' },
  { method: 'GET', path: '/v1/webhooks', title: 'List webhooks' },
  { method: 'GET', path: '/v1/integrity', title: 'Integrity credentials' },
];

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

export function explorer(context: Context): HTMLElement {
  const { world, api } = context;
  const isReading = world === 'live' || !canMake(context);
  const samples = SAMPLES.filter(({ method }) => !isReading || method === 'GET');
  const choice = withAttributes(el('select', ''), { 'aria-label': 'Call' });
  samples.forEach(({ title }, place) => {
    choice.append(withAttributes(el('option', '', title), { value: String(place) }));
  });
  const method = withAttributes(el('select', 'method'), { 'aria-label': 'Method' });
  for (const name of isReading ? (['GET'] as const) : METHODS) {
    method.append(withAttributes(el('option', '', name), { value: name }));
  }
  const path = withAttributes(el('input', 'path mono'), {
    'aria-label': 'Path',
    spellcheck: 'false',
  });
  const body = withAttributes(el('textarea', 'mono'), {
    'aria-label': 'Body, as JSON',
    rows: '8',
    spellcheck: 'false',
  });
  const answer = withAttributes(el('pre', 'answer'), { tabindex: '0', 'aria-label': 'Answer' });
  const status = withAttributes(el('p', 'verified'), { role: 'status' });
  const fill = (): void => {
    const sample = samples[Number(choice.value)]!;
    method.value = sample.method;
    path.value = sample.path;
    body.value = sample.body === undefined ? '' : JSON.stringify(sample.body, null, 2);
    body.hidden = sample.method === 'GET';
  };
  method.addEventListener('change', () => {
    body.hidden = method.value === 'GET';
  });
  choice.addEventListener('change', fill);
  fill();
  const send = button('primary', 'Send', async () => {
    try {
      const isBare = body.hidden || body.value.trim() === '';
      const asked = isBare ? undefined : (JSON.parse(body.value) as object);
      const found = await askRaw(api + path.value, method.value, asked);
      status.className = `verified ${found.status < 400 ? 'good' : 'problem'}`;
      status.textContent = `${found.status} · ${found.requestId}`;
      answer.textContent = JSON.stringify(found.json, null, 2);
    } catch (error) {
      status.className = 'verified problem';
      status.textContent = (error as Error).message;
    }
  });
  const lead = isReading
    ? 'You can look at everything here. What changes something is left to your backend.'
    : 'Calls of your own interface, in the test world, in your name: no key needed.';
  return el(
    'div',
    '',
    el('h1', '', 'API explorer'),
    el('p', 'lead', lead),
    el(
      'div',
      'card explorer',
      choice,
      el('div', 'line', method, path),
      body,
      el('div', 'actions', send),
    ),
    status,
    answer,
  );
}
