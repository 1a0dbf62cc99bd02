/** The error a store throws when the database is unreachable, disconnected, or does not answer in time. */

/** The result of the request is unknown. The caller may retry. */
export class StoreUnavailable extends Error {
  override readonly name: string = 'StoreUnavailable';
}
