import { given } from '../../../core/given.ts'
import { ownWords, type Spoken } from '../../../core/own-words.ts'
import type { LexicalQuery, Term } from '../../lexical.ts'
import { phrase } from './match-expression.ts'
import type { Stemmer } from './stemmer.ts'

type Role = 'user' | 'assistant'

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
    // The expression already searched exactly this column.
    if (query.role && !beyondColumns && !inexact && said === row[`said_${query.role}`]) return true
    return holds(said, query, stem)
  }
}

export function holdsLiteral(text: string, { literal }: Term): boolean {
  return literal !== undefined && text.toLowerCase().includes(literal.toLowerCase())
}

function wordsOf(row: Spoken, role: Role | undefined, names: readonly string[] | undefined): string {
  const { user, assistant } = ownWords(row, given({ role, names }))
  return [user, assistant].filter((text) => text !== '').join('\n\n')
}

function holds(text: string, { any, all = [] }: LexicalQuery, stem: () => Stemmer): boolean {
  if (any.length + all.length === 0) return true
  const matches = stem().open(text)
  const has = (term: Term) => holdsLiteral(text, term) || (!term.pieces && matches(phrase(term)))
  return all.every(has) && (all.length > 0 || any.some(has))
}
