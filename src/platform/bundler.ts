/** Bundling: a module and its imports as one text, which runs in the service, its threads and browsers. */

export interface BundleRequest {
  /** The entry module: an absolute path. */
  readonly entry: string;
  /** Relative imports may not leave this folder: an absolute path. */
  readonly root: string;
  /** Texts of modules that the service provides, by import name. */
  readonly provided: Readonly<Record<string, string>>;
}

/** A file that became part of a bundle. */
export interface BundleSource {
  /** An absolute path. */
  readonly path: string;
  readonly text: string;
}

export type BundleResult =
  /** `text` is an ECMAScript module without imports; `sources` are in no order, without the provided modules. */
  | { readonly ok: true; readonly text: string; readonly sources: readonly BundleSource[] }
  /** A sentence each, with file and line below `root` where they are known. */
  | { readonly ok: false; readonly errors: readonly string[] };

/** Bundles a module. Built-in modules (`node:fs` and the like) are refused. */
export type Bundle = (request: BundleRequest) => Promise<BundleResult>;
