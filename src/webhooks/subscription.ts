/** Which events a webhook is sent (rule E1). */

/** Too frequent for whoever did not ask for it, or for other readers than a match's. */
const ONLY_BY_NAME: ReadonlySet<string> = new Set(['move.made', 'key.alert', 'audit.anchored']);

/** `types` are the names the webhook gave; none of them stands for all but those. */
export function isWanted(types: readonly string[], type: string): boolean {
  return types.length === 0 ? !ONLY_BY_NAME.has(type) : types.includes(type);
}
