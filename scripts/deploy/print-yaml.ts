/** Values as YAML in blocks, as Helm's `toYaml` prints them: two spaces, keys by name. */

export function printYaml(value: unknown): string {
  if (Array.isArray(value)) return value.map(printItem).join('') || '[]\n';
  if (value !== null && typeof value === 'object') {
    const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return entries.map(([key, each]) => printEntry(key, each)).join('') || '{}\n';
  }
  return `${printScalar(value)}\n`;
}

function printEntry(key: string, value: unknown): string {
  if (!isBlock(value)) return `${key}: ${printYaml(value)}`;
  const margin = Array.isArray(value) ? '' : '  ';
  return `${key}:\n${indented(printYaml(value), margin)}`;
}

function printItem(value: unknown): string {
  return `- ${indented(printYaml(value), '  ').trimStart()}`;
}

function isBlock(value: unknown): boolean {
  return value !== null && typeof value === 'object' && Object.keys(value).length > 0;
}

function indented(text: string, margin: string): string {
  return text.replace(/^(?=.)/gm, margin);
}

/** A string that would be read as another type is quoted. */
function printScalar(value: unknown): string {
  if (typeof value !== 'string') return String(value);
  return /^[A-Za-z][\w ./-]*$/.test(value) &&
    !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(value)
    ? value
    : JSON.stringify(value);
}
