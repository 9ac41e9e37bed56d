/** The part of a chunk that one role or person said. Reads the chunk's text as the chunker writes it; changes nothing. */
import type { LexicalQuery, Term } from '../../lexical.ts'
import { isCalled } from '../chunk-condition.ts'
import { phrase } from './match-expression.ts'
import type { Stemmer } from './stemmer.ts'

export interface Spoken {
  readonly speakers: string
  readonly said_user: string
  readonly said_assistant: string
}

type Role = 'user' | 'assistant'

/**
 * True for chunks that hold what the query asks for in the words of its role or of the person of these names. Undefined
 * when the full-text expression alone decides that.
 */
export function spokenCheck(
  query: LexicalQuery,
  names: readonly string[] | undefined,
  stem: () => Stemmer,
): ((row: Spoken) => boolean) | undefined {
  const all = query.all ?? []
  const terms = [...all, ...query.any]
  const beyondColumns = query.role !== undefined && (terms.length === 0 || terms.some((term) => term.literal !== undefined))
  const inexact = all.some((term) => term.pieces)
  if (names === undefined && !beyondColumns && !inexact) return undefined
  return (row) => {
    const said = wordsOf(row, query.role, names)
    if (said === '') return false
    // The expression asked this very column: there is nothing left to check.
    if (query.role && !beyondColumns && !inexact && said === row[`said_${query.role}`]) return true
    return holds(said, query, stem)
  }
}

/** True when a text holds the literal of a term, whatever its case. */
export function holdsLiteral(text: string, { literal }: Term): boolean {
  return literal !== undefined && text.toLowerCase().includes(literal.toLowerCase())
}

function wordsOf(row: Spoken, role: Role | undefined, names: readonly string[] | undefined): string {
  const roles: readonly Role[] = role ? [role] : ['user', 'assistant']
  const texts = roles.map((one) => (names ? ownLines(row, one, names) : row[`said_${one}`]))
  return texts.filter((text) => text !== '').join('\n\n')
}

/**
 * A message of anybody but the owner begins with `Name: `, after a blank line where it is not the first. What stands before
 * the first name belongs to the speaker who is nowhere called by it: the owner, or the role itself.
 */
function ownLines(row: Spoken, role: Role, names: readonly string[]): string {
  const people = (JSON.parse(row.speakers) as string[]).filter((name) => name !== 'user' && name !== 'assistant')
  const labels = [...people, 'User', 'Assistant', 'Summary']
  const labelOf = (paragraph: string) => labels.find((name) => paragraph.startsWith(`${name}: `))
  const paragraphs = row[`said_${role}`].split(/\n{2,}/)
  const own: string[] = []
  let mine = [role, ...people.filter((name) => !isLabelled(row, name))].some((name) => isCalled(name, names))
  let labelled = false
  for (const paragraph of paragraphs) {
    const label = labelOf(paragraph)
    if (label !== undefined) mine = isCalled(label, names)
    labelled ||= label !== undefined
    if (mine) own.push(label === undefined ? paragraph : paragraph.slice(label.length + 2))
  }
  return labelled || own.length === 0 ? own.join('\n\n') : row[`said_${role}`]
}

function isLabelled({ said_user, said_assistant }: Spoken, name: string): boolean {
  return [said_user, said_assistant].some((text) => text.startsWith(`${name}: `) || text.includes(`\n\n${name}: `))
}

function holds(text: string, { any, all = [] }: LexicalQuery, stem: () => Stemmer): boolean {
  if (any.length + all.length === 0) return true
  const matches = stem().open(text)
  const has = (term: Term) => holdsLiteral(text, term) || (!term.pieces && matches(phrase(term)))
  return all.every(has) && (all.length > 0 || any.some(has))
}
