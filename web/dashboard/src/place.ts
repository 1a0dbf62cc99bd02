/** Addresses of the dashboard's pages: `/dashboard/t/<tenant>/<world>/<page>/<id>`, or one word. */

import type { World } from './types.ts';

const BASE = '/dashboard';

/** Where the reader is. */
export interface Address {
  /** Null on pages without a tenant. */
  readonly tenant: string | null;
  readonly world: World;
  /** The page's name; empty for the start page. */
  readonly page: string;
  readonly id: string | null;
}

export function parseAddress(pathname: string): Address {
  const [first = '', ...rest] = pathname.slice(BASE.length).split('/').filter(Boolean);
  if (first !== 't') return { tenant: null, world: 'test', page: first, id: rest[0] ?? null };
  const [tenant = null, world, page = 'overview', id = null] = rest;
  return { tenant, world: world === 'live' ? 'live' : 'test', page, id };
}

export function pageUrl(tenant: string, world: World, page: string, id?: string): string {
  return `${BASE}/t/${tenant}/${world}/${page}${id === undefined ? '' : `/${id}`}`;
}

export function ownUrl(page: string): string {
  return `${BASE}/${page}`;
}
