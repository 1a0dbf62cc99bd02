/** Calls the dashboard's routes of a real process as its pages do: stores cookies and throws on errors. */

import { DASHBOARD_API } from '../../src/contract/routes/dashboard-routes.ts';

export interface DashboardPost {
  /** `path` is below `/dashboard/api`. A body makes the method POST. */
  ask(path: string, body?: object, method?: string): Promise<Readonly<Record<string, unknown>>>;
  /** The cookie whose name starts with this; throws when there is none. */
  cookieText(name: string): string;
}

export function openDashboard(url: string): DashboardPost {
  const cookies = new Map<string, string>();
  return {
    async ask(path, body, method = body === undefined ? 'GET' : 'POST') {
      const response = await fetch(url + DASHBOARD_API + path, {
        method,
        headers: {
          'sec-fetch-site': 'same-origin',
          'x-matchd-dashboard': '1',
          cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      for (const each of response.headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(each)!;
        cookies.set(name!, value!);
      }
      const text = await response.text();
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
      return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
    },
    cookieText(name) {
      const found = [...cookies].find(([each]) => each.startsWith(name));
      if (found === undefined) throw new Error(`no cookie ${name}`);
      return found[1];
    },
  };
}
