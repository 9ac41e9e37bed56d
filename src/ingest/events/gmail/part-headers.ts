/** Lenient: anything unclear counts as text. */

export interface PartHeaders {
  /** Lower-cased; undefined if missing or malformed. */
  readonly type: string | undefined
  readonly boundary: string | undefined
  readonly disposition: string | undefined
  readonly encoding: string | undefined
  /** base64 or quoted-printable: its lines are not content lines. */
  readonly encoded: boolean
}

export function partHeaders(lines: readonly Buffer[]): PartHeaders {
  const values = new Map<string, string>()
  let name: string | undefined
  for (const line of lines) {
    const text = line.toString('latin1').replace(/\r?\n$/, '')
    if (/^[ \t]/.test(text)) {
      if (name !== undefined) values.set(name, `${values.get(name)} ${text.trim()}`)
      continue
    }
    const key = /^(content-(?:type|disposition|transfer-encoding))[ \t]*:(.*)/is.exec(text)
    // The first duplicate counts, as in the parser.
    name = key === null || values.has((key[1] as string).toLowerCase()) ? undefined : (key[1] as string).toLowerCase()
    if (name !== undefined) values.set(name, (key?.[2] ?? '').trim())
  }
  const type = values.get('content-type') ?? ''
  const encoding = /base64|quoted-printable/i.exec(values.get('content-transfer-encoding') ?? '')?.[0].toLowerCase()
  return {
    type: /^\s*([\w.+-]+\/[\w.+-]+)/.exec(type)?.[1]?.toLowerCase(),
    boundary: boundaryOf(type),
    disposition: /^\s*([\w-]+)/.exec(values.get('content-disposition') ?? '')?.[1]?.toLowerCase(),
    encoding,
    encoded: encoding !== undefined,
  }
}

function boundaryOf(type: string): string | undefined {
  const match = /;\s*boundary\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;]+))/i.exec(type)
  const value = match?.[1]?.replace(/\\(.)/g, '$1') ?? match?.[2]
  return value === undefined || value === '' ? undefined : value.trimEnd()
}
