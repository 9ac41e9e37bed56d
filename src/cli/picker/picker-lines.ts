import { shorten, width, wrap } from '../format/layout.ts'
import { printable } from '../format/printable.ts'
import { localTime } from '../format/quantity.ts'
import { bothNames } from '../format/sessions.ts'
import type { Style } from '../format/style.ts'
import { highlight, termsIn } from '../format/terms.ts'

export interface PickerItem {
  readonly id: string
  readonly short: string
  readonly title: string
  readonly about?: string | null
  readonly project: string | null
  readonly timestamp: string | null
  readonly preview: string
  readonly matched?: readonly string[]
}

export interface PickerView {
  readonly query: string
  readonly items: readonly PickerItem[]
  readonly chosen: number
  readonly message: string
  readonly columns: number
  readonly rows: number
  readonly style: Style
}

const PROMPT = '> '
const KEYS = [
  'enter show · ctrl-o open · ctrl-r resume · ↑↓ choose · esc leave',
  'enter show · ^o open · ^r resume · ↑↓ · esc leave',
  'enter show · esc leave',
]

export function pickerLines({ query, items, chosen, message, columns, rows, style }: PickerView): { lines: string[]; column: number } {
  const typed = tail(printable(query).replace(/\s/g, ' '), columns - width(PROMPT) - 1)
  const head = [`${PROMPT}${typed}`, style.dim(shorten(message, columns))]
  const foot = rows > 4 ? [style.dim(shorten(KEYS.find((keys) => width(keys) <= columns) ?? 'esc leave', columns))] : []
  const room = Math.max(rows - head.length - foot.length, 0)
  const listRoom = room < 6 ? room : Math.max(3, Math.floor(room / 2))
  const first = Math.max(0, Math.min(chosen - Math.floor(listRoom / 2), items.length - listRoom))
  const list = items.slice(first, first + listRoom).map((item, i) => itemLine(item, first + i === chosen, columns, style))
  const item = items[chosen]
  const previewRoom = room - listRoom - 1
  const preview =
    previewRoom < 1 || item === undefined ? [] : [style.dim('─'.repeat(columns)), ...previewLines(item, columns, previewRoom, style)]
  const filled = [...list, ...Array<string>(listRoom - list.length).fill(''), ...preview]
  const body = [...filled, ...Array<string>(Math.max(room - filled.length, 0)).fill('')].slice(0, room)
  return { lines: [...head, ...body, ...foot].slice(0, rows), column: width(PROMPT) + width(typed) }
}

function itemLine(
  { title, about = null, project, timestamp, matched = [] }: PickerItem,
  isChosen: boolean,
  columns: number,
  style: Style,
): string {
  const date = timestamp === null ? '' : localTime(timestamp).slice(0, 10)
  const where = project === null ? '' : shorten(lastPart(printable(project)), 16)
  const facts = [date, where].filter((fact) => fact !== '').join('  ')
  const name = bothNames({ title, about }, Math.max(columns - facts.length - 4, 8))
  const whole = `${facts}  ${name}`
  const fits = width(whole) <= columns - 2
  const line = highlight(fits ? whole : shorten(whole, columns - 2), matched.map(printable), style.yellow)
  return isChosen ? style.bold(`▶ ${line}`) : `  ${line}`
}

function previewLines({ short, preview, matched = [] }: PickerItem, columns: number, room: number, style: Style): string[] {
  const terms = matched.map(printable)
  const text = printable(preview).replace(/^(?:[^\S\n]*\n)+/, '')
  const lines = wrap(text.trimEnd(), columns, '', 'break').split('\n')
  const first = lines.findIndex((line) => termsIn(line, terms).length > 0)
  const from = first < room - 1 ? 0 : Math.max(0, first - 1)
  const shown = lines.slice(from, from + room - 1).map((line) => highlight(line, terms, style.yellow))
  return [style.dim(shorten(printable(short), columns)), ...shown].slice(0, room)
}

function tail(text: string, max: number): string {
  let kept = text
  while (width(kept) > Math.max(max, 1)) kept = [...kept].slice(1).join('')
  return kept
}

function lastPart(path: string): string {
  return path.split(/[/\\]/).findLast((part) => part !== '') ?? path
}
