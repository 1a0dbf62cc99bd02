/** What a script throws to have its transaction undone, where that is no failure. */

/** What becomes of one ask depends on the others: each is done again, alone. */
export class OneByOne extends Error {
  override readonly name = 'OneByOne';
}

/** Nothing of the transaction is kept, and `value` is what it answers. */
export class Undo<T> extends Error {
  override readonly name = 'Undo';
  readonly value: T;
  constructor(value: T) {
    super('a transaction was given up by the script that ran in it');
    this.value = value;
  }
}
