/** A call as a shell command to copy. The key is taken from the shell's `MATCHD_KEY`. */

import type { SampleRequest } from './sample-request.ts';

export function makeCurl({ method, url, needsKey, body, isStream }: SampleRequest): string {
  const head = isStream ? 'curl -N' : 'curl';
  const parts = [method === 'GET' ? `${head} ${quote(url)}` : `${head} -X ${method} ${quote(url)}`];
  if (needsKey) parts.push('-H "Authorization: Bearer $MATCHD_KEY"');
  if (body !== undefined) {
    parts.push("-H 'Content-Type: application/json'");
    parts.push(`-d ${quote(JSON.stringify(body))}`);
  }
  return parts.join(' \\\n  ');
}

/** Quoted only if a shell would not read the text as one word. */
function quote(text: string): string {
  if (/^[\w.:/@%+,-]+$/.test(text)) return text;
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
