/** A browser for the dashboard's routes: cookies, and the headers that browsers and pages send. */

import { type HttpService, openHttpService, PUBLIC_URL } from './http-service.ts';

export interface BrowserAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly json: Record<string, unknown>;
  /** The raw body; empty for an endless stream. */
  readonly text: string;
}

export interface BrowserAsk {
  readonly body?: object;
  readonly method?: string;
  /** In addition to its own; an empty text leaves one of those out. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface DashboardBrowser {
  /** A path below `/dashboard/api`. A body makes the method POST. */
  ask(path: string, ask?: BrowserAsk): Promise<BrowserAnswer>;
  /** The cookie as it would be sent; empty for none. */
  cookie(): string;
  /** Uses another browser's cookie, as a thief would. */
  takeCookie(cookie: string): void;
}

export const API = '/dashboard/api';

export function makeBrowser(
  { app }: Pick<HttpService, 'app'>,
  address = '203.0.113.20',
): DashboardBrowser {
  let cookie = '';
  /** The cookie by which the service recognizes the browser, signed in or not. */
  let mark = '';
  /** The challenge for a passkey. */
  let challenge = '';
  return {
    async ask(path, { body, method, headers: more = {} } = {}) {
      const headers = new Headers({
        'sec-fetch-site': 'same-origin',
        'x-matchd-dashboard': '1',
        'user-agent': 'Test browser',
        ...(cookie + mark + challenge === '' ? {} : { cookie: `${cookie}; ${mark}; ${challenge}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      });
      for (const [name, value] of Object.entries(more)) {
        if (value === '') headers.delete(name);
        else headers.set(name, value);
      }
      const request = new Request(`${PUBLIC_URL}${API}${path}`, {
        method: method ?? (body === undefined ? 'GET' : 'POST'),
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const response = await app.fetch(request, { address });
      const set = response.headers.get('set-cookie');
      const pair = set?.slice(0, set.indexOf(';')) ?? '';
      if (pair.startsWith('__Host-matchd-device=')) mark = pair;
      else if (pair.startsWith('__Host-matchd-passkey=')) challenge = pair;
      else if (set !== null) cookie = set.includes('Max-Age=0') ? '' : pair;
      const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
      if (isStream) await response.body?.cancel();
      const text = isStream ? '' : await response.text();
      const isJson = response.headers.get('content-type')?.includes('json') === true;
      const json = isJson && text !== '' ? (JSON.parse(text) as Record<string, unknown>) : {};
      return { status: response.status, headers: response.headers, json, text };
    },
    cookie: () => cookie,
    takeCookie(other) {
      cookie = other;
    },
  };
}

export const OWNER = { email: 'olga@example.test', name: 'Olga', password: 'seven green bottles' };
export const PASSWORD = 'another fine long one';

/** The operator, signed in. */
export async function makeOwner(world: HttpService): Promise<DashboardBrowser> {
  const browser = makeBrowser(world);
  const token = await world.accounts.makeSetupLink();
  const made = await browser.ask('/setup', { body: { token, ...OWNER } });
  if (made.status !== 200) throw new Error(JSON.stringify(made.json));
  return browser;
}

/** A member of the tenant who was invited, signed in. */
export async function makeMember(
  world: HttpService,
  owner: DashboardBrowser,
  slug: string,
  role: string,
  email = `${role}@example.test`,
): Promise<DashboardBrowser> {
  const invited = await owner.ask(`/t/${slug}/invitations`, { body: { email, role } });
  const token = String(invited.json['url']).split('#')[1];
  const browser = makeBrowser(world);
  const body = { token, name: role, password: PASSWORD };
  const joined = await browser.ask('/invitations/accept', { body });
  if (joined.status !== 200) throw new Error(JSON.stringify(joined.json));
  return browser;
}

/** A service with a tenant, `acme`, and its operator. */
export async function openDashboard() {
  const world = await openHttpService();
  const tenant = await world.makeTenant({ slug: 'acme' });
  return { world, tenant, owner: await makeOwner(world) };
}
