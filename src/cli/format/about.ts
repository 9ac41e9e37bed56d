/** An entity for people: what holds, what held, what is only claimed, each with where it was said. */
import { plural } from '../../core/text.ts'
import type { About, Citation, SynthesizedStatement } from '../../library/index.ts'
import { printable } from './printable.ts'
import type { Style } from './style.ts'

const MOST_CITED = 3

export function formatAbout(about: About, { style }: { readonly style: Style }): string {
  const { entity, as_of, current, former, uncertain, episodes } = about
  const names = entity.aliases.map(({ value }) => printable(value)).filter((value) => value !== printable(entity.name))
  const merged = entity.merged.length === 0 ? [] : [`  ${plural(entity.merged.length, 'other entity', 'other entities')} merged into it`]
  const lines = [
    `${style.bold(printable(entity.name))}  ${style.dim(`${printable(entity.type)} · ${entity.entity_id.slice(0, 8)}`)}`,
    ...(names.length === 0 ? [] : [`  also ${[...new Set(names)].slice(0, 8).join(', ')}`]),
    ...merged,
    ...(as_of === null ? [] : [`  as of ${as_of.slice(0, 10)}`]),
  ]
  const section = (title: string, statements: readonly SynthesizedStatement[]) => {
    if (statements.length > 0) lines.push('', style.bold(title), ...statements.flatMap((one) => statement(one, entity.entity_id, style)))
  }
  section('Holds', current)
  section('Held before', former)
  section('Uncertain', uncertain)
  if (current.length + former.length + uncertain.length === 0) lines.push('', '  nothing is known beyond the name')
  if (episodes.length > 0)
    lines.push(
      '',
      style.bold('Named in'),
      ...episodes.map(({ start, channel, mentions, episode_id, summary }) => {
        const id = mentions.find((one) => one.id !== null)?.id ?? `e:${episode_id.slice(0, 8)}`
        return `  ${start.slice(0, 10)}  ${printable(channel ?? '')}  ${id}${summary === null ? '' : `  ${printable(summary).slice(0, 60)}`}`
      }),
    )
  return lines.join('\n')
}

function statement(one: SynthesizedStatement, entity: string, style: Style): string[] {
  const { subject, type, object, literal, why, since, until, replaced_by, confidence, observations } = one
  const who = subject.entity_id === entity ? '' : `${printable(subject.name)} `
  const what = `${who}${words(type)} ${printable(object?.name ?? literal ?? '')}`
  const when = [since === null ? '' : `since ${since.slice(0, 10)}`, until === null ? '' : `until ${until.slice(0, 10)}`].filter(Boolean)
  const notes = [
    ...when,
    ...(why === null ? [] : [replaced_by === null ? why : `${why} by ${printable(replaced_by)}`]),
    ...(confidence < 1 ? [`confidence ${confidence.toFixed(2)}`] : []),
  ]
  const cited = observations.slice(-MOST_CITED).map(citation)
  const more = observations.length > MOST_CITED ? [`and ${observations.length - MOST_CITED} more`] : []
  return [`  ${what}${notes.length === 0 ? '' : style.dim(`  ${notes.join(', ')}`)}`, style.dim(`    ${[...cited, ...more].join(', ')}`)]
}

function citation({ id, message_id, said_at, trust, counted, source_type }: Citation): string {
  if (source_type === 'inferred') return `counted from ${plural(counted ?? 0, 'event')}`
  return `${id ?? message_id} ${said_at.slice(0, 10)}${trust === 'owner' ? '' : ` (${trust})`}`
}

/** WORKS_AT is "works at". */
export function words(type: string): string {
  return printable(type).toLowerCase().replaceAll('_', ' ')
}
