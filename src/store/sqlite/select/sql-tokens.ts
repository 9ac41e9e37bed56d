/** Tokenizes as SQLite does, just enough to find every name. */

export interface SqlToken {
  /** name: bare or in "", [] or ``. text: in '', which SQLite may also read as a name. */
  readonly kind: 'name' | 'text' | 'other'
  readonly start: number
  readonly end: number
  /** Unquoted, lower-cased. */
  readonly value: string
}

const SKIPPED = /(?:[\s\0]|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$))+/y
const QUOTED = /"((?:[^"]|"")*)(?:"|$)|`((?:[^`]|``)*)(?:`|$)|\[([^\]]*)(?:\]|$)/y
const TEXT = /'((?:[^']|'')*)(?:'|$)/y
/** SQLite treats every non-ASCII character as a letter. */
const BARE = /[A-Za-z_\x80-\uffff][\w$\x80-\uffff]*/y
/** A number swallows following letters, a variable its name. */
const WORD = /\.?\d[\w.]*|[?:@#$][\w$\x80-\uffff]*/y

export function sqlTokens(sql: string): SqlToken[] {
  const tokens: SqlToken[] = []
  for (let at = 0; at < sql.length; ) {
    const skipped = matchAt(SKIPPED, sql, at)
    if (skipped !== null) {
      at += skipped[0].length
      continue
    }
    const token = tokenAt(sql, at)
    tokens.push(token)
    at = token.end
  }
  return tokens
}

function tokenAt(sql: string, start: number): SqlToken {
  const quoted = matchAt(QUOTED, sql, start)
  if (quoted !== null) {
    const value = quoted[1]?.replaceAll('""', '"') ?? quoted[2]?.replaceAll('``', '`') ?? quoted[3] ?? ''
    return { kind: 'name', start, end: start + quoted[0].length, value: value.toLowerCase() }
  }
  const text = matchAt(TEXT, sql, start)
  if (text !== null) return { kind: 'text', start, end: start + text[0].length, value: (text[1] ?? '').replaceAll("''", "'").toLowerCase() }
  const bare = matchAt(BARE, sql, start)
  if (bare !== null) return { kind: 'name', start, end: start + bare[0].length, value: bare[0].toLowerCase() }
  const length = matchAt(WORD, sql, start)?.[0].length ?? 1
  return { kind: 'other', start, end: start + length, value: sql.slice(start, start + length) }
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}
