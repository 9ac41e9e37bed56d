import { plural } from '../../core/text.ts'
import type { Citation, MergeCandidate, ShownEntity, SynthesizedStatement } from '../../library/index.ts'
import { reasons, shortId } from './entities.ts'
import { pairs, shorten, wrap } from './layout.ts'
import { printable } from './printable.ts'
import type { Style } from './style.ts'

const MOST_CITED = 3
const BY = { header: '(written by a program)', text: '(said)', owner: '(yours)' } as const
const plain = (text: string) => printable(text).replaceAll('\n', ' ')

interface Format {
  readonly width: number
  readonly style: Style
}

export function formatEntity(shown: ShownEntity, { width, style }: Format): string {
  const { entity, as_of, current, former, uncertain, aliases, parts, candidates, episodes } = shown
  const lines = [
    style.bold(shorten(plain(entity.name), width)),
    style.dim(`${plain(entity.type)} · ${entity.id} · ${plural(entity.mentions, 'message')} · ${entity.trust}`),
    ...(as_of === null ? [] : [`as of ${as_of.slice(0, 10)}`]),
  ]
  const section = (title: string, rows: readonly string[]) => {
    if (rows.length > 0) lines.push('', style.bold(title), ...rows)
  }
  const said = (statements: readonly SynthesizedStatement[]) => statements.flatMap((one) => statement(one, entity.id, { width, style }))
  section('Holds', said(current))
  section('Held before', said(former))
  section('Uncertain', said(uncertain))
  if (current.length + former.length + uncertain.length === 0)
    lines.push('', as_of === null ? '  nothing is known beyond the name' : '  nothing was known then beyond the name')
  if (entity.type === 'project' && as_of === null)
    lines.push('', `  ${style.dim(`what tool calls say of it: mnemonic project ${plain(entity.name)}`)}`)
  const called = aliases.map(
    ({ type, value, given_by }) => [`  ${type}`, `${shorten(plain(value), width - 40)} ${style.dim(BY[given_by])}`] as const,
  )
  section('Called', called.length === 0 ? [] : [pairs(called)])
  if (parts.length > 1)
    section(
      'Made of',
      parts.map((part) => `  ${shortId(part.id)}  ${shorten(plain(part.known_by), width - 12)}`),
    )
  const own = parts.map(({ id }) => id)
  section(
    'May be the same as',
    candidates.filter(({ status }) => status === 'proposed').map((one) => `  ${other(one, own, width)}`),
  )
  section(
    'Named in',
    episodes.map(({ start, channel, mentions, episode_id, summary }) => {
      const id = mentions.find((one) => one.id !== null)?.id ?? `e:${episode_id.slice(0, 8)}`
      return `  ${shorten(
        `${start.slice(0, 10)}  ${[channel, id, summary]
          .filter((part) => part !== null)
          .map(plain)
          .join('  ')}`,
        width - 2,
      )}`
    }),
  )
  return lines.join('\n')
}

function statement(one: SynthesizedStatement, entity: string, { width, style }: Format): string[] {
  const { subject, type, object, literal, why, since, until, replaced_by, confidence, observations } = one
  const who = subject.entity_id === entity ? '' : `${plain(subject.name)} `
  const what = `${who}${plain(type).toLowerCase().replaceAll('_', ' ')} ${plain(object?.name ?? literal ?? '')}`
  const notes = [
    ...(since === null ? [] : [`since ${since.slice(0, 10)}`]),
    ...(until === null ? [] : [`until ${until.slice(0, 10)}`]),
    ...(why === null ? [] : [replaced_by === null ? why : `${why} by ${plain(replaced_by)}`]),
    ...(confidence < 1 ? [`confidence ${confidence.toFixed(2)}`] : []),
  ]
  const cited = observations.slice(-MOST_CITED).map(citation)
  const more = observations.length > MOST_CITED ? [`and ${observations.length - MOST_CITED} more`] : []
  const from = [...notes, [...cited, ...more].join(', ')].join(' · ')
  return [`${wrap(what, width, '  ', 'break')}`, style.dim(wrap(from, width, '    '))]
}

function citation({ id, message_id, said_at, trust, counted, source_type }: Citation): string {
  // Counted patterns have no words to cite; a model's inferences do.
  if (source_type === 'inferred' && counted !== null) return `counted from ${plural(counted, 'event')}`
  return `${id ?? message_id} ${said_at.slice(0, 10)}${trust === 'owner' ? '' : ` (${trust})`}`
}

function other(candidate: MergeCandidate, own: readonly string[], width: number): string {
  const side = own.includes(candidate.a.id) ? candidate.b : candidate.a
  return shorten(`${shortId(side.id)}  ${plain(side.name)}  ${plain(side.known_by)}: ${reasons(candidate)}`, width - 2)
}
