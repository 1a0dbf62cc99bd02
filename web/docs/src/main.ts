/** Fetches both documents from the service that sent the page, and renders them. */

import type { AsyncApi, OpenApi } from './documents.ts';
import { el } from './dom.ts';
import { makePage } from './page.ts';

async function fetchJson(path: string): Promise<unknown> {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${path} was answered with ${response.status}`);
  return response.json();
}

async function start(): Promise<void> {
  const root = document.getElementById('app')!;
  try {
    const documents = await Promise.all(['/openapi.json', '/asyncapi.json'].map(fetchJson));
    makePage(root, documents[0] as OpenApi, documents[1] as AsyncApi, location.origin);
    // The element that the address names did not exist before.
    document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
  } catch (error) {
    root.replaceChildren(el('p', 'empty', `The description cannot be shown: ${String(error)}`));
  } finally {
    root.removeAttribute('aria-busy');
  }
}

void start();
