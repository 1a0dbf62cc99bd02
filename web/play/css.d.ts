/** Style sheets that are imported as texts. */

declare module '*.css' {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: the bundler's own form
  export default text;
}
