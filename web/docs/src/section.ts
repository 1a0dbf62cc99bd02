/** What the page is made of: chapters of sections, each with its place in the navigation. */

/** The mark before a section's name: a method, or the sender of a frame. */
export interface Badge {
  readonly text: string;
  readonly kind: string;
}

export interface Section {
  /** Its address on the page, without the `#`. */
  readonly id: string;
  readonly label: string;
  readonly badge: Badge | null;
  readonly element: HTMLElement;
}

export interface Chapter {
  readonly title: string;
  readonly description: string;
  readonly sections: readonly Section[];
}
