/** Finds the lines of a chunk in its document. Returns all lines if the document has changed. */
import type { DocumentMessage } from '../index/document.ts'
import type { TextDocument } from './text-document.ts'

export interface ChunkText {
  readonly saidUser: string
  readonly saidAssistant: string
  readonly messageIds: readonly string[]
}

export interface Match {
  readonly excerpt: string
  readonly matched: readonly string[]
}

/** The line whose text in the excerpt has most matched words, else the first. */
export function lineOfMatch(text: string, { start, end }: Lines, { excerpt, matched }: Match): number {
  const words = [...new Set(matched.map((one) => flat(one).toLowerCase()))]
  const shown = excerpt.split(/ … |\n/).flatMap((part) => {
    const said = flat(part.replace(/ ?…$/, ''))
    const held = words.filter((word) => said.toLowerCase().includes(word)).length
    return said.length < SHORTEST ? [] : [{ held, forms: [said, said.replace(LABEL, '')] }]
  })
  let best = { line: start, held: -1 }
  for (const [i, line] of text
    .split('\n')
    .slice(start - 1, end)
    .entries()) {
    const whole = flat(line)
    if (whole.length < SHORTEST) continue
    const held = Math.max(-1, ...shown.filter(({ forms }) => forms.some((form) => whole.includes(form))).map((one) => one.held))
    if (held > best.held) best = { line: start + i, held }
  }
  return best.line
}

/** Shorter text occurs in many lines. */
const SHORTEST = 3
const LABEL = /^[^:]{1,60}: /

/** Without white space and markup, as in excerpts. */
function flat(text: string): string {
  return text
    .replace(/[*_`#|>]+/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}

/** From 1, inclusive. */
export interface Lines {
  readonly start: number
  readonly end: number
}

export function linesOfChunk(document: Pick<TextDocument, 'text' | 'messages'>, chunk: ChunkText): Lines {
  const span = document.messages.length === 0 ? inText(document.text, chunk) : inMessages(document, chunk)
  const { start, end } = span ?? { start: 0, end: document.text.length }
  return { start: lineAt(document.text, start), end: lineAt(document.text, Math.max(start, end - 1)) }
}

interface Span {
  readonly start: number
  readonly end: number
}

function lineAt(text: string, offset: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line++
  return line
}

function inText(text: string, { saidUser, saidAssistant }: ChunkText): Span | undefined {
  return partOf(text, saidUser === '' ? saidAssistant : saidUser)
}

/** A chunk of a turn covers a range of messages. The first may lack its beginning, the last its end. */
function inMessages({ text, messages }: Pick<TextDocument, 'text' | 'messages'>, chunk: ChunkText): Span | undefined {
  const ids = new Set(chunk.messageIds)
  const own = located(text, messages).filter(({ message }) => ids.has(message.nativeId))
  const [first, last] = [own[0], own.at(-1)]
  if (first === undefined || last === undefined) return undefined
  const said = ({ role }: DocumentMessage) => (role === 'user' ? chunk.saidUser : chunk.saidAssistant)
  if (first === last) {
    const part = partOf(first.message.text, unlabelled(said(first.message), first.message))
    return part && { start: first.start + part.start, end: first.start + part.end }
  }
  return {
    start: first.start + endBegins(first.message.text, unlabelled(said(first.message), first.message)),
    end: last.start + beginningEnds(last.message, said(last.message)),
  }
}

function located(text: string, messages: readonly DocumentMessage[]): { message: DocumentMessage; start: number }[] {
  const before = ({ label, speaker }: DocumentMessage) => (label ?? speaker).length + 2
  const own = ({ text: said, after = '' }: DocumentMessage) => said.length + after.length + 2
  const length = messages.reduce((sum, message) => sum + before(message) + own(message), 0)
  let at = text.length - (length - 2) - 1
  return messages.map((message) => {
    const start = at + before(message)
    at = start + own(message)
    return { message, start }
  })
}

function unlabelled(said: string, { speaker, text }: DocumentMessage): string {
  const label = `${speaker}: `
  return said.startsWith(label) && !text.startsWith(said.slice(0, label.length + 1)) ? said.slice(label.length) : said
}

/** A split code block has a fence line that the text lacks. */
function partOf(text: string, piece: string): Span | undefined {
  const body = withoutFirstLine(piece)
  for (const candidate of [piece, body, withoutLastLine(piece), withoutLastLine(body)]) {
    const start = candidate === '' ? -1 : text.indexOf(candidate)
    if (start >= 0) return { start, end: start + candidate.length }
  }
  return undefined
}

/** Offset at which the end of `text` that begins `said` starts; 0 for the whole text. */
function endBegins(text: string, said: string): number {
  if (said.startsWith(text)) return 0
  for (const candidate of [said, withoutFirstLine(said)]) {
    const line = candidate.split('\n', 1)[0] ?? ''
    for (let at = line === '' ? -1 : text.indexOf(line); at !== -1; at = text.indexOf(line, at + 1)) {
      if (candidate.startsWith(text.slice(at))) return at
    }
  }
  return 0
}

/** Length of the message's beginning that ends `said`. */
function beginningEnds(message: DocumentMessage, said: string): number {
  const { text } = message
  if (said.endsWith(text)) return text.length
  const starts = [0, ...[...said.matchAll(/\n\n/g)].map(({ index }) => index + 2)]
  for (const start of starts) {
    const part = unlabelled(said.slice(start), message)
    for (const candidate of [part, withoutLastLine(part)]) if (candidate !== '' && text.startsWith(candidate)) return candidate.length
  }
  return text.length
}

function withoutFirstLine(text: string): string {
  const end = text.indexOf('\n')
  return end === -1 ? '' : text.slice(end + 1)
}

function withoutLastLine(text: string): string {
  const end = text.lastIndexOf('\n')
  return end === -1 ? '' : text.slice(0, end)
}
