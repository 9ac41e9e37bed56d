/** Apply only to text cleaned of control sequences. */

export interface Style {
  readonly bold: (text: string) => string
  readonly dim: (text: string) => string
  readonly red: (text: string) => string
  readonly green: (text: string) => string
  readonly yellow: (text: string) => string
  readonly cyan: (text: string) => string
}

export function style(enabled: boolean): Style {
  // Colours each line separately: a pager or `head` never leaves a colour open.
  const paint = (open: number, close: number) => (text: string) =>
    enabled && text !== ''
      ? text
          .split('\n')
          .map((line) => `\u001b[${open}m${line}\u001b[${close}m`)
          .join('\n')
      : text
  return {
    bold: paint(1, 22),
    dim: paint(2, 22),
    red: paint(31, 39),
    green: paint(32, 39),
    yellow: paint(33, 39),
    cyan: paint(36, 39),
  }
}
