/** What a store throws instead of writing something twice for one request (rule H8). */

/**
 * Another node has done what the request asks for, and its answer is kept under the same key: nothing
 * of what was to be written with this one's answer is. Only stores that several nodes share throw it.
 */
export class AnsweredBefore extends Error {
  constructor() {
    super('the request was answered before');
  }
}
