/** A random secret of each documented format, and some that only context reveals. None is real. */
import { redact } from '../../src/core/redact.ts'
import { seeded } from './hostile-text.ts'
import { drawToken, NAMED_FORMATS, TOKEN_FORMATS } from './token-kinds.ts'

export interface GeneratedSecret {
  readonly name: string
  readonly kind: string
  /** With the name or address that reveals it. */
  readonly text: string
  /** Unique endings of its parts, lower case. */
  readonly pieces: readonly string[]
}

const SURROUNDED: readonly string[] = [
  ...['password={40:a}', 'export DB_PASSWORD={40:a}', 'API_KEY={40:a}', 'client_secret={40:a}', 'postgres://app:{40:a}@db.internal/app'],
  ...['https://deploy:{40:a}@git.example.org/repo.git', 'Authorization: Bearer {40:a}', 'mysql -uroot -p{40:a} app'],
  ...['Cookie: sessionid={40:a}', 'sshpass -p {40:a} ssh me@host', '--api-key {40:a}', 'machine api.example login me password {40:a}'],
]
const LONGEST_PIECE = 14
const LEAST_PIECE = 7
const MOST_TRIES = 50

export function generatedSecrets(): GeneratedSecret[] {
  const random = seeded(97)
  const formats = [
    ...Object.entries(TOKEN_FORMATS),
    // One rule finds all of these.
    ...Object.entries(NAMED_FORMATS).filter((_, i) => i % 6 === 0),
    ...SURROUNDED.map((format): [string, string] => [format, format]),
  ]
  return formats.map(([name, format]) => {
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const secret = made(name, format, drawToken(format, random))
      if (secret !== undefined) return secret
    }
    throw new Error(`no secret of the format ${name} is redacted`)
  })
}

/** Undefined if the draw has no long part, or the redactor leaves one. */
function made(name: string, format: string, text: string): GeneratedSecret | undefined {
  const { spans, text: left } = redact(text)
  const [span] = spans
  if (span === undefined || spans.length > 1) return undefined
  const pieces = text
    .slice(span.start, span.end)
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((piece) => piece.length >= LEAST_PIECE && !format.toLowerCase().includes(piece))
    .map((piece) => piece.slice(-LONGEST_PIECE))
  const isGone = pieces.length > 0 && pieces.every((piece) => !left.toLowerCase().includes(piece))
  return isGone ? { name, kind: span.kind, text, pieces } : undefined
}
