/** How the format of a credential is written down, and what tells its body from a name. */
import { hasDigit, hasRandomRun, isJumbled, isMixedCase } from './redact-values.ts'

export interface Shape {
  /** Undefined: not a secret, and nothing inside may be taken for one. */
  readonly kind: string | undefined
  /** The literals it can start with: the scan looks at nothing else. */
  readonly starts: readonly string[]
  readonly pattern: RegExp
  /** What follows the literal has at least so many characters, and no space among them. */
  readonly least: number
  /** Judges what follows the literal. */
  readonly accepts?: (tail: string) => boolean
  /** Leaves the literal start in place and redacts only what follows it. */
  readonly keepsStart?: true
  /** A more exact kind of the same span wins. */
  readonly isGeneric?: true
  /** Its starts also end ordinary names (`cache-key-<hash>`): a credential only at the start of a word. */
  readonly isWord?: true
}

type Options = Partial<Pick<Shape, 'accepts' | 'keepsStart' | 'isGeneric' | 'isWord'>>

/** `starts`: a list, or words. `tail`: the source of the pattern for what follows any of them. */
export function shape(kind: string, starts: string | readonly string[], tail: string, options: Options = {}): Shape {
  const literals = typeof starts === 'string' ? starts.split(' ') : starts
  const heads = literals.map((literal) => literal.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')).join('|')
  return {
    kind,
    starts: literals,
    pattern: new RegExp(options.keepsStart ? tail : `(?:${heads})${tail}`, 'y'),
    least: leastOf(tail),
    ...options,
  }
}

/** Of a pattern that begins with a class of characters and their number. */
function leastOf(tail: string): number {
  const [, members = '', least = '0'] = /^\[((?:\\.|[^\]\\^])(?:\\.|[^\]\\])*)\]\{(\d+)/.exec(tail) ?? []
  return /\\[sSWD]| /.test(members) ? 0 : Number(least)
}

/** Letters and digits, or capitals and small letters: almost every random token has both, and few words do. */
export const isGenerated = (tail: string) => (hasDigit(tail) && /[A-Za-z]/.test(tail)) || isMixedCase(tail)
/** The same where all capitals are usual: words are written so too. */
export const isNumbered = (tail: string) => hasDigit(tail) && /[A-Za-z]/.test(tail)
export const isRandom = (tail: string) => hasRandomRun(tail, 16) || isJumbled(tail)
/** Not the camelCase of a property: at least two digits, and both cases. */
export const isDense = (tail: string) => /\d\D*\d/.test(tail) && isMixedCase(tail)
/** Dense, or without enough digits by chance: then in an order of letters that no name has. */
export const isDenseOrJumbled = (tail: string) => isMixedCase(tail) && (/\d\D*\d/.test(tail) || isJumbled(tail))
/** Not the name of a class or a file, where dashes may divide it. */
export const isChance = (tail: string) => hasDigit(tail) && isMixedCase(tail) && isJumbled(tail)
/** Binary data in base64 has many zero bytes. */
export const isNoBinary = (tail: string) => isDense(tail) && !/AA.*AA.*AA/.test(tail)

export const WEBHOOK_PATH = '[\\w/-]{20,}'
export const UUID = '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}'
export const NOT_WORD = '(?![\\w-])'
