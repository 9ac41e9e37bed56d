/** Terms as an FTS5 MATCH expression. Text enters it only inside quotes, with every quote doubled: it is never syntax. */
import type { LexicalQuery, Term } from '../../lexical.ts'

/** One term as a quoted phrase; pieces as several of them, which the caller must check against the text. */
export function phrase(term: Term): string {
  if (term.pieces && term.words.length > 1) return `(${term.words.map((word) => quoted(word)).join(' AND ')})`
  const text = quoted(term.words.join(' '))
  return term.prefix ? `${text} *` : text
}

function quoted(text: string): string {
  return `"${text.replace(/[\p{Cc}\p{Cs}]/gu, ' ').replaceAll('"', '""')}"`
}

/**
 * The whole query; undefined when it has no terms. With a role only that role's column is asked, and for terms whose parts
 * stand in the column of extra terms also that one: the caller must check who said those.
 */
export function matchExpression({ any, all = [], raise = [], role }: LexicalQuery): string | undefined {
  if (any.length + all.length === 0) return undefined
  const scoped = (term: Term) => {
    if (!role) return phrase(term)
    const columns = term.literal === undefined ? `{said_${role}}` : `{said_${role} extra_terms}`
    return `${columns} : ${phrase(term)}`
  }
  const either = (terms: readonly Term[]) => `(${terms.map(scoped).join(' OR ')})`
  // What is required is repeated among the alternatives, so that the others raise the score and are not required.
  if (all.length > 0)
    return [...all.map(scoped), ...(any.length + raise.length === 0 ? [] : [either([...all, ...any, ...raise])])].join(' AND ')
  // Here every term stands twice: else those that are required would count double, and the order would not be that of the words.
  return raise.length === 0 ? either(any) : `${either(any)} AND ${either([...any, ...raise, ...raise])}`
}
