/** Ledger text is cleaned here. */
import type { RouteAnswer, RoutedSession, StaleEntity } from '../../library/index.ts'
import { shorten, wrap } from './layout.ts'
import { printable } from './printable.ts'
import { dayOf, head, INDENT, projectName } from './search-hit.ts'
import type { Style } from './style.ts'

export interface RouteFormat {
  readonly style: Style
  readonly width: number
  readonly ours: (text: string) => string
}

const MOST_NAMES = 4

export function formatRoute({ sessions }: RouteAnswer, options: RouteFormat): string {
  if (sessions.length === 0) return 'No session knows enough of this to go on with it.'
  return sessions.map((session, i) => lines(session, i + 1, options).join('\n')).join('\n\n')
}

function lines(session: RoutedSession, rank: number, options: RouteFormat): string[] {
  const { title, last_message_at, id, why, resume, not_resumable, instead } = session
  const room = options.width - INDENT.length
  const place = projectName(session)
  const facts = [
    ...(place === '' ? [] : [shorten(place, 20)]),
    ...(last_message_at === null ? [] : [dayOf(last_message_at)]),
    printable(id),
  ]
  const names = [...new Set([...why.entities, ...why.terms, ...why.topics])].slice(0, MOST_NAMES).map(printable)
  const reasons = [...(names.length === 0 ? [] : [`shares ${names.join(', ')}`]), ...(why.by_subagent ? ['a subagent said it'] : [])]
  return [
    head(rank, printable(title ?? 'untitled session'), facts, { ...options, now: 0 }),
    ...(why.excerpt === null ? [] : [wrap(shorten(`${why.cite}: ${printable(why.excerpt)}`, 2 * room), options.width, INDENT, 'break')]),
    ...(reasons.length === 0 ? [] : [INDENT + options.style.dim(shorten(reasons.join('; '), room))]),
    ...stale(session, options),
    // Commands are not shortened: they must be copyable.
    resume === null ? INDENT + options.style.dim(shorten(printable(not_resumable ?? ''), room)) : `${INDENT}${printable(resume.command)}`,
    ...(instead === null ? [] : [`${INDENT}${printable(options.ours(instead))}`]),
  ]
}

const SAYS: Readonly<Record<StaleEntity['kind'], string>> = { observation: 'new of ', decision: 'replaced ', file: '' }
const MOST_STALE = 3

function stale({ stale: all, stale_total }: RoutedSession, { style, width }: RouteFormat): string[] {
  if (stale_total === 0) return []
  const first = all.filter(({ asked }, i) => asked || i === 0).slice(0, MOST_STALE)
  const more = stale_total - first.length
  return [
    ...first.map(({ kind, about, now, changed_at, cite }) => {
      const what = kind === 'file' ? printable(about).split(/[/\\]/).slice(-2).join('/') : printable(about)
      const end = `  ${dayOf(changed_at)}${cite === null ? '' : `  ${cite}`}`
      const room = width - INDENT.length - end.length
      return (
        INDENT + style.yellow(shorten(`stale: ${SAYS[kind]}${what}${kind === 'file' ? ' ' : ': '}${printable(now)}`, room)) + style.dim(end)
      )
    }),
    ...(more > 0 ? [INDENT + style.dim(`and ${more} more of what it knows changed since: --json lists them`)] : []),
  ]
}
