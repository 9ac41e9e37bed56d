/** Slow inputs for the sanitizer in any size, and how its time grows. No real secrets. */
import { sanitizeTranscriptV6 } from '../../src/artifacts/format/sanitize-transcript.ts'
import { processorTime } from './processor-time.ts'

const UNITS: Readonly<Record<string, string>> = {
  'equal signs': '=',
  'colons after names': 'password:',
  'open key blocks': `${'-'.repeat(5)}BEGIN PRIVATE KEY${'-'.repeat(5)}\n`,
  'key material without end': `${'A'.repeat(63)}\n`,
  'openings of URLs': 'postgres://a:',
  'starts of tokens': 'sk-',
  'starts of JWTs': 'eyJhbGciOi.',
  'escape sequences': '\u001b[',
  'escape strings': '\u001b]',
  'forged marks': '< / mnemonic-memory',
  'less-than signs': '< ',
  'base64 words': 'TWFu',
  cookies: 'Cookie: sid=a; ',
  digits: '4111 ',
  tags: '<password>',
  'back quotes': '`',
  'half characters': '\ud83d',
  dashes: '-',
  spaces: ' ',
}

export const HOSTILE_KINDS: readonly string[] = Object.keys(UNITS)

export function hostileText(kind: string, length: number): string {
  const unit = UNITS[kind] ?? kind
  return unit.repeat(Math.ceil(length / unit.length)).slice(0, length)
}

export interface SanitizerTiming {
  readonly kind: string
  readonly smallMs: number
  readonly largeMs: number
  readonly ratio: number
}

/**
 * Time ratio for ten times the text. The small text runs ten times per round, above clock resolution. Sizes alternate and the fastest
 * counts: load only slows down.
 */
export function timeSanitizer(kind: string, options: { small?: number; runs?: number } = {}): SanitizerTiming {
  const { small = 100_000, runs = 10 } = options
  const short = hostileText(kind, small)
  const long = hostileText(kind, small * 10)
  let smallMs = Number.POSITIVE_INFINITY
  let largeMs = Number.POSITIVE_INFINITY
  for (let run = 0; run < runs; run++) {
    smallMs = Math.min(smallMs, timeOf(short, 10) / 10)
    largeMs = Math.min(largeMs, timeOf(long, 1))
  }
  return { kind, smallMs, largeMs, ratio: largeMs / smallMs }
}

function timeOf(text: string, times: number): number {
  const spent = processorTime()
  for (let n = 0; n < times; n++) sanitizeTranscriptV6(text)
  return spent()
}
