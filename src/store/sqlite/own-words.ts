/** Which part of a chunk one person said. Reads the chunk's text as the chunker writes it; changes nothing. */
import type { LexicalQuery, Term } from '../lexical.ts'
import { isCalled } from './chunk-condition.ts'
import { phrase } from './match-expression.ts'
import type { Stemmer } from './stemmer.ts'

export interface Spoken {
  readonly speakers: string
  readonly said_user: string
  readonly said_assistant: string
}

/**
 * True for chunks in which the role or person said what the query asks for. Undefined when the full-text expression
 * already decides that alone.
 */
export function spokenCheck(
  query: LexicalQuery,
  names: readonly string[] | undefined,
  stem: () => Stemmer,
): ((row: Spoken) => boolean) | undefined {
  const terms = [...(query.all ?? []), ...query.any]
  const partsOnly = query.role !== undefined && terms.some((term) => term.literal !== undefined)
  if (names === undefined && !partsOnly && !(query.role && terms.length === 0)) return undefined
  return (row) => {
    const said = ownText(row, query.role, names)
    if (said === '') return false
    // The expression asked this very column: there is nothing left to check.
    if (query.role && !partsOnly && said === row[`said_${query.role}`]) return true
    return holds(said, query, stem)
  }
}

/** What the person said in this chunk; with no names, what the role said. */
function ownText(row: Spoken, role: 'user' | 'assistant' | undefined, names: readonly string[] | undefined): string {
  const speakers = JSON.parse(row.speakers) as string[]
  const roles = role ? [role] : (['user', 'assistant'] as const)
  return roles
    .map((one) => {
      const text = one === 'user' ? row.said_user : row.said_assistant
      return names ? ownLines({ text, role: one, speakers, names }) : text
    })
    .filter((text) => text !== '')
    .join('\n\n')
}

interface Lines {
  readonly text: string
  readonly role: 'user' | 'assistant'
  readonly speakers: readonly string[]
  readonly names: readonly string[]
}

/** Where several people share a role, each message begins with `Name: ` after a blank line; else all of it is one person's. */
function ownLines({ text, role, speakers, names }: Lines): string {
  const labels = speakers.map((name) => (name === 'user' ? 'User' : name === 'assistant' ? 'Assistant' : name))
  const paragraphs = text.split(/\n{2,}/)
  const labelOf = (paragraph: string) => labels.find((name) => paragraph.startsWith(`${name}: `))
  let current = labelOf(paragraphs[0] ?? '')
  if (current !== undefined) {
    const own: string[] = []
    for (const paragraph of paragraphs) {
      const label = labelOf(paragraph)
      current = label ?? current
      if (isCalled(current, names)) own.push(paragraph.slice(label === undefined ? 0 : label.length + 2))
    }
    return own.join('\n\n')
  }
  // Nobody is named in the text: one person, or the role itself, said it all.
  const other = role === 'user' ? 'assistant' : 'user'
  const mine = speakers.includes(role) ? isCalled(role, names) : !speakers.every((name) => name === other || !isCalled(name, names))
  return mine ? text : ''
}

function holds(text: string, { any, all = [] }: LexicalQuery, stem: () => Stemmer): boolean {
  if (any.length + all.length === 0) return true
  const folded = text.toLowerCase()
  const matches = stem().open(text)
  const has = (term: Term) => (term.literal !== undefined && folded.includes(term.literal.toLowerCase())) || matches(phrase(term))
  return all.every(has) && (all.length > 0 || any.some(has))
}
