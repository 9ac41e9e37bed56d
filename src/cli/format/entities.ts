import type { CandidateList, EntityList, FoundEntity, MergeCandidate, RelatedEntities, SaidOfEntity, Step } from '../../library/index.ts'
import { shorten, table } from './layout.ts'
import { printable } from './printable.ts'
import { localTime } from './quantity.ts'
import type { Style } from './style.ts'

const ID = 8
export const shortId = (id: string) => id.slice(0, ID)
const plain = (text: string) => printable(text).replaceAll('\n', ' ')
const DAY = '2026-09-14'.length

export function formatEntities({ entities }: EntityList, width: number): string {
  if (entities.length === 0) return ''
  return table(
    [
      { title: 'id' },
      { title: 'type', max: 12 },
      { title: 'name', max: Math.max(16, width - 60) },
      { title: 'named', right: true },
      { title: 'said of', right: true },
      { title: 'parts', right: true },
      { title: 'last' },
    ],
    entities.map(({ id, type, name, known_by, mentions, observations, parts, last_seen }) => [
      ...[shortId(id), type, plain(told(name, known_by)), String(mentions), String(observations), parts > 1 ? String(parts) : ''],
      last_seen === null ? '' : localTime(last_seen).slice(0, DAY),
    ]),
  )
}

export function formatFound(found: readonly FoundEntity[], width: number): string {
  if (found.length === 0) return ''
  return table(
    [
      { title: 'id' },
      { title: 'type', max: 12 },
      { title: 'name', max: Math.max(16, width - 45) },
      { title: 'named', right: true },
      { title: 'by' },
    ],
    found.map(({ entity_id, type, name, mentions, by, similarity }) => [
      ...[shortId(entity_id), type, plain(name), String(mentions), similarity === undefined ? by : `${by} ${similarity.toFixed(2)}`],
    ]),
  )
}

export function formatPlaces(places: readonly SaidOfEntity[], width: number): string {
  if (places.length === 0) return ''
  return table(
    [{ title: 'id' }, { title: 'said' }, { title: 'type', max: 20 }, { title: 'words', max: Math.max(20, width - 46) }],
    places.map(({ relationship_id, said_at, type, fact }) => [
      shortId(relationship_id),
      localTime(said_at).slice(0, DAY),
      type,
      plain(fact),
    ]),
  )
}

export function formatRelatedEntities({ neighbours, path }: RelatedEntities, width: number): string {
  const line = ({ subject, type, object, observations }: Step) =>
    shorten(`${plain(subject.name)} ${type} ${plain(object.name)}${observations > 1 ? `  (said ${observations} times)` : ''}`, width - 4)
  if (path !== null) return path.map((step) => line(step)).join('\n')
  return neighbours.map(({ distance, by }) => by.map((step) => `${'  '.repeat(distance - 1)}${line(step)}`).join('\n')).join('\n')
}

/** Many files, repositories and people share a name: adds what tells them apart. */
function told(name: string, knownBy: string): string {
  const qualifier = /^name(?:_of)?:.* (\([^()]+\))$/.exec(knownBy)?.[1]
  if (qualifier !== undefined) return `${name} ${qualifier}`
  return /^(?:path|repository):(?:github\.com\/)?(.+)$/.exec(knownBy)?.[1] ?? name
}

export function formatCandidates(
  { candidates }: CandidateList,
  { width, style }: { readonly width: number; readonly style: Style },
): string {
  return candidates.map((one) => formatCandidate(one, { width, style })).join('\n\n')
}

export function formatCandidate(candidate: MergeCandidate, { width, style }: { readonly width: number; readonly style: Style }): string {
  const { a, b, confidence, auto_eligible, status, decided_by } = candidate
  const side = (one: MergeCandidate['a']) => `  ${shortId(one.id)}  ${shorten(`${plain(one.name)}  ${plain(one.known_by)}`, width - 12)}`
  const marks = [
    `${Math.round(confidence * 100)} %`,
    ...(auto_eligible ? ['auto-eligible'] : []),
    ...(status === 'proposed' ? [] : [decided_by === null ? status : `${status} (${decided_by})`]),
  ]
  return [
    `${style.bold(a.type)} ${style.dim(shorten(`${marks.join(' · ')} · ${reasons(candidate)}`, width - a.type.length - 1))}`,
    side(a),
    side(b),
  ].join('\n')
}

export function reasons({ evidence }: MergeCandidate): string {
  return evidence.map(({ says, value }) => (value === '' ? says : `${says} (${plain(value)})`)).join(', ')
}
