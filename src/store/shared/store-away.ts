/** What a store throws when it cannot be asked: it is not there, cut off, or does not answer in time. */

/** Whether what was asked for has been done nobody can say; whoever asked may ask again. */
export class StoreAway extends Error {
  override readonly name: string = 'StoreAway';
}
