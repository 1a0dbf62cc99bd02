/** A call in several languages, one at a time, with a button to copy it and a link to try it. */

import type { Call, Schemas } from '../documents.ts';
import { el, link, withAttributes } from '../dom.ts';
import { makeCopyButton } from '../sample-view.ts';
import { makeCurl } from './curl.ts';
import { nearestLanguage, onLanguage } from './language.ts';
import { makeLanguageTabs } from './language-tabs.ts';
import { makeSampleRequest, type SampleRequest } from './sample-request.ts';

/** In the order of the tabs. */
const LANGUAGES = ['sh', 'ts', 'py', 'go'] as const;

export function makeCallSample(call: Call, schemas: Schemas, origin: string): HTMLElement {
  const request = makeSampleRequest(call, schemas, origin);
  const summary = call.operation.summary.replaceAll('`', '');
  const id = `sample-${call.operation.operationId}`;
  const code = el('code', '', makeCurl(request));
  const panel = withAttributes(el('pre', '', code), {
    id,
    role: 'tabpanel',
    tabindex: '0',
    'aria-label': `Request: ${summary}`,
  });
  const tabs = makeLanguageTabs(LANGUAGES, () => id);
  tabs.mark(LANGUAGES[0]);
  onLanguage(async (chosen) => {
    const language = nearestLanguage(chosen, LANGUAGES);
    const text = await sampleIn(language, request, call, schemas, origin);
    tabs.mark(language);
    code.textContent = text;
  });
  const copy = makeCopyButton(`Request: ${summary}`, code);
  const heading = el('figcaption', '', tabs.element, copy);
  return el('figure', 'sample', heading, panel, makeTryLink(request));
}

/** If its language cannot be loaded, the reader is told. */
async function sampleIn(
  language: string,
  request: SampleRequest,
  call: Call,
  schemas: Schemas,
  origin: string,
): Promise<string> {
  try {
    const { PRINTERS } = await import('./samples.ts');
    return PRINTERS.get(language)?.(request, call, schemas, origin) ?? '';
  } catch {
    return 'This sample could not be loaded. Reload the page.';
  }
}

/**
 * The dashboard makes the call in test mode, in the reader's name. It shows a response once it is
 * complete.
 */
function makeTryLink({ method, path, needsKey, body, isStream }: SampleRequest) {
  if (!needsKey || isStream) return null;
  const query = new URLSearchParams({ method, path });
  if (body !== undefined) query.set('body', JSON.stringify(body));
  return el('p', 'try', link(`/dashboard/explorer?${query}`, '', 'Try it in the dashboard'));
}
