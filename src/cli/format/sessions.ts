import { grouped, plural } from '../../core/text.ts'
import type { SessionList, SessionSummary } from '../../library/index.ts'
import { type Column, width as cellsOf, shorten, table } from './layout.ts'
import { printable } from './printable.ts'
import { localTime, short } from './quantity.ts'

/** Only ids of exports and custom sources are longer. No column exceeds a quarter of the terminal. */
const ID = 24
const PROJECT = 24
const GAP = 2
/** Least terminal widths for the project, for counts and source, and for models. */
const PROJECTS = 60
const COUNTS = 110
const MODELS = 150
const MODEL = 18
const LEAST_TITLE = 12

interface Cell extends Column {
  readonly of: (session: SessionSummary, number: number) => string
  /** Least terminal width. */
  readonly from: number
}

const DAY = '2026-09-14'.length

const CELLS: readonly Cell[] = [
  { title: '#', right: true, from: 0, of: (_, number) => String(number) },
  { title: 'session', from: 0, max: ID, of: ({ id }) => id },
  { title: 'last', from: 0, max: DAY, of: ({ last_message_at: at }) => (at === null ? '' : localTime(at).slice(0, DAY)) },
  { title: 'turns', right: true, from: COUNTS, of: ({ turn_count }) => String(turn_count) },
  { title: 'tokens', right: true, from: COUNTS, of: ({ token_count }) => short(token_count) },
  { title: 'source', from: COUNTS, of: ({ source }) => source },
  { title: 'model', max: MODEL, from: MODELS, of: ({ model }) => model ?? '' },
  { title: 'project', max: PROJECT, from: PROJECTS, of: ({ project_name }) => project_name ?? '' },
]

export function formatSessions({ sessions, total }: SessionList, width: number): string {
  if (sessions.length === 0) return ''
  const quarter = Math.max(Math.floor(width / 4), DAY)
  const shown = CELLS.filter(({ from, of }) => width >= from && sessions.some((session, i) => of(session, i + 1) !== '')).map((cell) => ({
    ...cell,
    max: Math.min(cell.max ?? quarter, quarter),
  }))
  const rows = sessions.map((session, i) => shown.map(({ of }) => printable(of(session, i + 1)).replaceAll('\n', ' ')))
  const taken = shown.reduce((sum, { title, max }, i) => {
    const widest = Math.max(title.length, ...rows.map((row) => cellsOf(row[i] ?? '')))
    return sum + Math.min(widest, Math.max(max, title.length)) + GAP
  }, 0)
  const room = Math.max(width - taken, LEAST_TITLE)
  const titles = sessions.map((one) => {
    const mark = one.is_subagent ? '↳ ' : ''
    return mark + bothNames({ title: shownTitle(one), about: one.about }, room - mark.length)
  })
  const lines = table(
    [...shown, { title: 'title', max: room }],
    rows.map((row, i) => [...row, titles[i] ?? '']),
  )
  return `${lines}\n\n${footer(sessions.length, total)}`
}

export function shownTitle({ title, label }: Pick<SessionSummary, 'title' | 'label'>): string {
  return title ?? label
}

const BETWEEN = ' · '
const SECOND_SHARE = 0.4

export function bothNames({ title, about }: { readonly title: string; readonly about: string | null }, room: number): string {
  const clean = (text: string) => printable(text).replaceAll('\n', ' ')
  const [first, second] = [clean(title), about === null ? '' : clean(about)]
  const free = room - cellsOf(BETWEEN)
  const share = Math.floor(free * SECOND_SHARE)
  if (second === '' || (share < LEAST_TITLE && cellsOf(first) + cellsOf(second) > free)) return shorten(first, room)
  const name = shorten(first, free - Math.min(cellsOf(second), Math.max(share, 0)))
  return `${name}${BETWEEN}${shorten(second, free - cellsOf(name))}`
}

function footer(shown: number, total: number): string {
  return shown === total ? plural(total, 'session') : `${grouped(shown)} of ${plural(total, 'session')}`
}
