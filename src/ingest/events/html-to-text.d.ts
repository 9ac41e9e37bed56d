/** The part of the library that is used; it brings no types of its own. */
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
