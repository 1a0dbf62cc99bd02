/** Reads a request's body once, up to its limit (rule H1). */

import { makeProblem, type Problem } from '../../contract/errors.ts';

export const BODY_BYTES_MAX = 64 * 1024;
const BODY_DEPTH_MAX = 20;

/** The parsed body; `absent` when there was none. */
export type Body = { readonly absent: true } | { readonly absent: false; readonly json: unknown };

const ABSENT: Body = { absent: true };
const JSON_TYPE = /^\s*application\/json\s*(?:;|$)/i;
/** One parameter of a media type: its name, and its value without quotes. */
const PARAMETER = /;\s*([^\s;="]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))/g;
const UTF8_NAME = /^utf-?8$/i;
const UTF8 = new TextDecoder('utf-8', { fatal: true });

const QUOTE = 34;
const BACKSLASH = 92;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

export async function readBody(request: Request): Promise<Body | Problem> {
  const { headers } = request;
  const isJson = isJsonRequest(request);
  if (!(Number(headers.get('content-length')) <= BODY_BYTES_MAX)) return refuse(isJson);
  let bytes: ArrayBuffer;
  try {
    bytes = await request.arrayBuffer();
  } catch {
    return makeProblem('invalid_json'); // The client disconnected: the response is not read.
  }
  if (bytes.byteLength === 0) return ABSENT;
  if (!isJson || bytes.byteLength > BODY_BYTES_MAX) return refuse(isJson);
  return parseBody(bytes);
}

export function isJsonRequest({ headers }: Request): boolean {
  const type = headers.get('content-type');
  return type !== null && JSON_TYPE.test(type) && isUtf8(type);
}

/** JSON between systems is UTF-8 (RFC 8259, section 8.1): a type that names another charset is refused. */
function isUtf8(type: string): boolean {
  return Array.from(type.matchAll(PARAMETER)).every(
    ([, name, quoted, plain]) =>
      name!.toLowerCase() !== 'charset' || UTF8_NAME.test(quoted ?? plain ?? ''),
  );
}

function refuse(isJson: boolean): Problem {
  return makeProblem(isJson ? 'body_too_large' : 'unsupported_media_type');
}

function parseBody(bytes: ArrayBuffer): Body | Problem {
  try {
    const text = UTF8.decode(bytes);
    // Checked before any parser that recurses for each level.
    if (isDeeper(text, BODY_DEPTH_MAX)) return makeProblem('body_too_deep');
    return { absent: false, json: JSON.parse(text) };
  } catch {
    return makeProblem('invalid_json');
  }
}

/** Are more than `max` brackets open somewhere? Scans the text without recursion. */
export function isDeeper(text: string, max: number): boolean {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case QUOTE:
        i = endOfString(text, i);
        break;
      case OPEN_BRACKET:
      case OPEN_BRACE:
        depth += 1;
        if (depth > max) return true;
        break;
      case CLOSE_BRACKET:
      case CLOSE_BRACE:
        depth -= 1;
        break;
    }
  }
  return false;
}

/** The index of the quote that ends the string which begins at `start`. */
function endOfString(text: string, start: number): number {
  let i = start + 1;
  while (i < text.length && text.charCodeAt(i) !== QUOTE) {
    i += text.charCodeAt(i) === BACKSLASH ? 2 : 1;
  }
  return i;
}

/** The body's fields. An absent body has none. */
export function fieldsOf(body: Body): Readonly<Record<string, unknown>> | Problem {
  if (body.absent) return {};
  const { json } = body;
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    return makeProblem('body_not_object');
  }
  return json as Readonly<Record<string, unknown>>;
}
