/** Paginated lists: one page at a time, or all items one after another (rule H9). */

export interface Page<Item> {
  readonly data: readonly Item[];
  /** The cursor of the next page; null if there is none. */
  readonly nextCursor: string | null;
}

/** `for await (const item of pages)` requests pages as they are needed. */
export interface Pages<Item> extends AsyncIterable<Item> {
  /** One page; without a cursor the first. */
  page(cursor?: string): Promise<Page<Item>>;
}

export function makePages<Item>(
  fetchPage: (cursor: string | undefined) => Promise<Page<Item>>,
): Pages<Item> {
  return {
    page: (cursor) => fetchPage(cursor),
    async *[Symbol.asyncIterator]() {
      let cursor: string | undefined;
      do {
        const { data, nextCursor } = await fetchPage(cursor);
        yield* data;
        cursor = nextCursor ?? undefined;
      } while (cursor !== undefined);
    },
  };
}
