import type { WhyAnswer, WhyPart } from '../browse/why/why.ts'
import { escapeMarks, markMemory, NOTICE } from '../core/marked-text.ts'
import { named, safe } from '../core/named.ts'
import { oneLine, plural, printable } from '../core/text.ts'

export interface WhyTextOptions {
  readonly forAgent?: boolean
  /** Most parts; default 12. */
  readonly most?: number
  readonly readHit?: (number: number) => string
}

export interface WhyText {
  readonly text: string
  readonly ids: readonly string[]
}

const MOST = 12
const LONGEST = 300
const LONGEST_FOR_AGENT = 220

export function whyText(answer: WhyAnswer, { forAgent = false, most = MOST, readHit }: WhyTextOptions = {}): WhyText {
  const isWhole = answer.from <= 1 && answer.to === answer.total && answer.total > 1
  const ordered = isWhole ? [...answer.parts].sort(byWeight) : answer.parts
  const shown = ordered.slice(0, most)
  const turns = new Map<string, number>()
  const blocks = shown.map((part) => block(part, { turns, length: forAgent ? LONGEST_FOR_AGENT : LONGEST }))
  const body = [headOf(answer), ...blocks].join('\n')
  const left = ordered.length - shown.length
  const more = left > 0 ? `${plural(left, 'more part')}: name fewer lines, as in ${fileOf(answer)}:1-50` : undefined
  const ids = [...turns.keys()]
  if (!forAgent) return { text: [printable(body), ...(more === undefined ? [] : [more])].join('\n'), ids }
  const read = ids.length > 0 && readHit !== undefined ? [`More of one: ${readHit(1)}`] : []
  return {
    text: [NOTICE, markMemory(escapeMarks(printable(body))), ...(more === undefined ? [] : [escapeMarks(printable(more))]), ...read].join(
      '\n',
    ),
    ids,
  }
}

function byWeight(a: WhyPart, b: WhyPart): number {
  return Number(b.turn !== null) - Number(a.turn !== null) || b.lines - a.lines
}

function fileOf({ name }: WhyAnswer): string {
  return named(name)
}

function headOf(answer: WhyAnswer): string {
  const { from, to, total, counts, git, is_deleted, renamed_from } = answer
  const written = counts.edit + counts.commit
  const said = [
    ...(total === 0 ? ['empty'] : [`${plural(written, 'line')} of ${to - from + 1} by sessions`]),
    ...(counts.unknown > 0 ? [`${counts.unknown} unknown`] : []),
    ...(counts.none > 0 ? [`${counts.none} that no session wrote`] : []),
    ...(is_deleted ? ['deleted since: as last committed'] : []),
    ...(renamed_from.length > 0 ? [`was ${renamed_from.slice(0, 3).map(named).join(', ')}`] : []),
    ...(git.used ? [] : [`by edit calls alone (${git.problem ?? 'nothing is committed'})`]),
  ]
  return `${fileOf(answer)}:${from === to ? from : `${from}-${to}`}  ${said.join(', ')}`
}

interface Block {
  readonly turns: Map<string, number>
  readonly length: number
}

function block({ ranges, kind, reason, turn, candidates, commit, text }: WhyPart, { turns, length }: Block): string {
  const lines = shownRanges(ranges)
  const committed =
    commit?.hash == null
      ? undefined
      : `commit ${commit.hash} “${safe(commit.subject ?? '')}” by ${safe(commit.author ?? '')}, ${day(commit.at)}`
  if (turn === null) {
    const may = candidates.length === 0 ? '' : `: perhaps ${candidates.join(', ')}`
    const what = kind === 'none' ? 'no session that is known here wrote them' : `unknown: ${reason ?? ''}${may}`
    return [
      `${lines}  ${what}`,
      ...(committed === undefined ? [] : [`    ${committed}`]),
      ...(commit !== null && commit.hash === null ? ['    not committed'] : []),
    ].join('\n')
  }
  const key = turn.turn_id ?? turn.session_id
  const isNew = !turns.has(key)
  const number = turns.get(key) ?? turns.size + 1
  turns.set(key, number)
  const who = [
    turn.id,
    ...(turn.at === null ? [] : [turn.at.slice(0, 16).replace('T', ' ')]),
    turn.harness,
    ...(turn.model === null ? [] : [safe(turn.model)]),
  ]
  const how = kind === 'commit' ? 'committed by' : 'written by'
  const line = (word: string, said: string | null) => (said === null || !isNew ? [] : [`    ${word.padEnd(8)} ${oneLine(said, length)}`])
  return [
    `${lines}  ${number}. ${how} ${who.join('  ')}${turn.is_subagent ? '  (subagent)' : ''}`,
    ...(text === null ? [] : [`    ${'line'.padEnd(8)} ${oneLine(text, 120)}`]),
    ...line('asked', turn.asked),
    ...line('answers', turn.answers),
    ...turn.decided.flatMap(({ words, holds }) => line('decided', holds ? words : `${words} (replaced since)`)),
    ...line('said', turn.said),
    ...turn.tried.flatMap(({ kind: tried, words }) =>
      line('tried', tried === 'refused' ? `an edit that was refused: ${words}` : `before: ${words}`),
    ),
    ...(committed === undefined ? [] : [`    ${committed}`]),
    ...(commit !== null && commit.hash === null ? ['    not committed'] : []),
    ...line('session', turn.title),
  ].join('\n')
}

function day(time: string | null): string {
  return time === null ? '' : time.slice(0, 10)
}

const MOST_RANGES = 6

function shownRanges(ranges: WhyPart['ranges']): string {
  const shown = ranges.slice(0, MOST_RANGES).map(([from, to]) => (from === to ? String(from) : `${from}-${to}`))
  return `${shown.join(', ')}${ranges.length > MOST_RANGES ? ` and ${ranges.length - MOST_RANGES} more` : ''}`
}
