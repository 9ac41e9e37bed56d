/** The literal beginnings that a pattern can match, read from its source, so that no rule depends on a list kept by hand beside it. */

/** Longer beginnings are cut: so many characters tell words apart. */
const LONGEST_HEAD = 10
/** Larger classes end a beginning. */
const LARGEST_CLASS = 4

/** `closed` go no further; `open` can still grow. */
interface Heads {
  readonly open: readonly string[]
  readonly closed: readonly string[]
}

/** All beginnings of what the pattern matches, as the pattern spells them: one of them begins every match. */
export function headsOf(pattern: RegExp): string[] {
  const { open, closed } = new Reader(pattern.source).alternatives({ open: [''], closed: [] })
  return [...new Set([...open, ...closed])]
}

/** Reads the source once, from left to right. */
class Reader {
  readonly #source: string
  #at = 0

  constructor(source: string) {
    this.#source = source
  }

  /** Up to the bracket that closes this group, or the end. */
  alternatives(before: Heads): Heads {
    const open: string[] = []
    const closed = [...before.closed]
    for (;;) {
      const heads = this.#sequence({ open: before.open, closed: [] })
      open.push(...heads.open)
      closed.push(...heads.closed)
      if (this.#source[this.#at] !== '|') break
      this.#at++
    }
    return { open: [...new Set(open)], closed: [...new Set(closed)] }
  }

  #sequence(before: Heads): Heads {
    let heads = before
    while (this.#at < this.#source.length && this.#source[this.#at] !== '|' && this.#source[this.#at] !== ')') {
      const grown = this.#item(heads)
      const [least, most] = this.#count()
      const once = most === 1 ? grown : { open: [], closed: [...grown.closed, ...grown.open] }
      heads = least > 0 ? once : { open: [...new Set([...heads.open, ...once.open])], closed: [...heads.closed, ...once.closed] }
    }
    return heads
  }

  #item(heads: Heads): Heads {
    const character = this.#source[this.#at] as string
    if (character === '(') return this.#group(heads)
    if (character === '[') return grownBy(heads, this.#classAt())
    this.#at++
    if (character === '\\') return this.#escape(heads)
    if (character === '.') return grownBy(heads, undefined)
    return character === '^' || character === '$' ? heads : grownBy(heads, [character])
  }

  #group(heads: Heads): Heads {
    const kind = /^\((?:\?(?:[:=!]|<[=!]))?/.exec(this.#source.slice(this.#at))?.[0] ?? '('
    this.#at += kind.length
    const grown = this.alternatives(heads)
    this.#at++
    // What only looks ahead or behind takes nothing.
    return kind === '(' || kind === '(?:' ? grown : heads
  }

  #escape(heads: Heads): Heads {
    const letter = this.#source[this.#at++] as string
    if (letter === 'b') return heads
    const controls: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' }
    if (/[1-9]/.test(letter)) return grownBy(heads, undefined)
    return grownBy(heads, /[A-Za-z]/.test(letter) ? (controls[letter] === undefined ? undefined : [controls[letter]]) : [letter])
  }

  /** The characters of a class; undefined if they are too many. */
  #classAt(): string[] | undefined {
    const [whole = '', members = ''] = /^\[((?:\\.|[^\]\\])*)\]/.exec(this.#source.slice(this.#at)) ?? []
    this.#at += whole.length
    if (members.startsWith('^') || /\\[^tnr.\-\]]|[^\\]-./.test(members)) return undefined
    const controls: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' }
    const characters = members.match(/\\?./gs)?.map((one) => (one.length === 1 ? one : (controls[one.slice(1)] ?? one.slice(1)))) ?? []
    return characters.length > LARGEST_CLASS ? undefined : characters
  }

  /** The quantifier behind an item. */
  #count(): [least: number, most: number] {
    const [whole = '', sign = '', from = '', comma = '', to = ''] =
      /^(?:([?*+])|\{(\d+)(,?)(\d*)\})\??/.exec(this.#source.slice(this.#at)) ?? []
    this.#at += whole.length
    if (whole === '') return [1, 1]
    if (sign !== '') return [sign === '+' ? 1 : 0, sign === '?' ? 1 : Infinity]
    return [Number(from), comma === '' ? Number(from) : to === '' ? Infinity : Number(to)]
  }
}

/** Each open beginning with each of the characters; undefined: any other may follow. */
function grownBy({ open, closed }: Heads, characters: readonly string[] | undefined): Heads {
  if (characters === undefined || characters.some((character) => character.charCodeAt(0) > 127))
    return { open: [], closed: [...closed, ...open] }
  const grown = open.flatMap((head) => characters.map((character) => head + character))
  return {
    open: grown.filter((head) => head.length < LONGEST_HEAD),
    closed: [...closed, ...grown.filter((head) => head.length >= LONGEST_HEAD)],
  }
}
