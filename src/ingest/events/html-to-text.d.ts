/** The library has no types; these cover the part in use. */
declare module 'html-to-text' {
  interface Selector {
    readonly selector: string
    readonly format?: string
    readonly options?: Readonly<Record<string, unknown>>
  }
  interface Options {
    readonly wordwrap?: number | false
    readonly preserveNewlines?: boolean
    readonly limits?: Readonly<Record<string, number | string>>
    readonly selectors?: readonly Selector[]
  }
  export function compile(options?: Options): (html: string) => string
}
