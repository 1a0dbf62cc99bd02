/** The error a store throws instead of performing one request twice (rule H8). */

/**
 * Another node has performed this request and stored its response under the same key; nothing of
 * this write is kept. Thrown only by stores that several nodes share.
 */
export class AnsweredBefore extends Error {
  constructor() {
    super('the request was answered before');
  }
}
