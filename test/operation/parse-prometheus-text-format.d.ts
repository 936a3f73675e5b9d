/** Types for a package that has none. */
declare module 'parse-prometheus-text-format' {
  export default function parse(text: string): readonly { readonly name: string }[];
}
