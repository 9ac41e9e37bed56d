/** Text appears only in quotes with quotes doubled, never as syntax. */
import type { LexicalQuery, Term } from '../../lexical.ts'

/** `pieces` become AND-ed phrases; the caller must verify the literal in the text. */
export function phrase(term: Term): string {
  if (term.pieces && term.words.length > 1) return `(${term.words.map((word) => quoted(word)).join(' AND ')})`
  const text = quoted(term.words.join(' '))
  return term.prefix ? `${text} *` : text
}

function quoted(text: string): string {
  return `"${text.replace(/[\p{Cc}\p{Cs}]/gu, ' ').replaceAll('"', '""')}"`
}

/**
 * Undefined without terms. With a role it searches that role's column, and extra_terms for literals. The caller must verify who said the
 * latter.
 */
export function matchExpression({ any, all = [], raise = [], role }: LexicalQuery): string | undefined {
  if (any.length + all.length === 0) return undefined
  const scoped = (term: Term) => {
    if (!role) return phrase(term)
    const columns = term.literal === undefined ? `{said_${role}}` : `{said_${role} extra_terms}`
    return `${columns} : ${phrase(term)}`
  }
  const either = (terms: readonly Term[]) => `(${terms.map(scoped).join(' OR ')})`
  // Repeats required terms among the alternatives: the others then only add to the score.
  if (all.length > 0)
    return [...all.map(scoped), ...(any.length + raise.length === 0 ? [] : [either([...all, ...any, ...raise])])].join(' AND ')
  // Each term appears twice; otherwise required terms would count double and distort the ranking.
  return raise.length === 0 ? either(any) : `${either(any)} AND ${either([...any, ...raise, ...raise])}`
}
