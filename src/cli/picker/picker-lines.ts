/** What the picker shows: the query, the list, a preview of the chosen one, the keys. Never wider or longer than the screen. */
import { shorten, width, wrap } from '../format/layout.ts'
import { printable } from '../format/printable.ts'
import { localTime } from '../format/quantity.ts'
import type { Style } from '../format/style.ts'

export interface PickerItem {
  /** What `show` takes. */
  readonly id: string
  readonly short: string
  readonly title: string
  readonly project: string | null
  readonly timestamp: string | null
  readonly preview: string
}

export interface PickerView {
  readonly query: string
  readonly items: readonly PickerItem[]
  readonly chosen: number
  /** In place of the count: that it searches, or what was wrong. */
  readonly message: string
  readonly columns: number
  readonly rows: number
  readonly style: Style
}

const PROMPT = '> '
const KEYS = 'enter show · ctrl-o open · ctrl-r resume · ↑↓ choose · esc leave'

/** The lines, at most as many as the screen has, and the column of the cursor in the first. */
export function pickerLines({ query, items, chosen, message, columns, rows, style }: PickerView): { lines: string[]; column: number } {
  const typed = tail(printable(query).replace(/\s/g, ' '), columns - width(PROMPT) - 1)
  const head = [`${PROMPT}${typed}`, style.dim(shorten(message, columns))]
  const foot = rows > 4 ? [style.dim(shorten(KEYS, columns))] : []
  const room = Math.max(rows - head.length - foot.length, 0)
  const listRoom = room < 6 ? room : Math.max(3, Math.floor(room / 2))
  const first = Math.max(0, Math.min(chosen - Math.floor(listRoom / 2), items.length - listRoom))
  const list = items.slice(first, first + listRoom).map((item, i) => itemLine(item, first + i === chosen, columns, style))
  const item = items[chosen]
  const previewRoom = room - listRoom - 1
  const preview = previewRoom < 1 || item === undefined ? [] : [style.dim('─'.repeat(columns)), ...previewLines(item, columns, previewRoom)]
  const filled = [...list, ...Array<string>(listRoom - list.length).fill(''), ...preview]
  const body = [...filled, ...Array<string>(Math.max(room - filled.length, 0)).fill('')].slice(0, room)
  return { lines: [...head, ...body, ...foot].slice(0, rows), column: width(PROMPT) + width(typed) }
}

function itemLine({ title, project, timestamp }: PickerItem, isChosen: boolean, columns: number, style: Style): string {
  const date = timestamp === null ? '' : localTime(timestamp).slice(0, 10)
  const where = project === null ? '' : shorten(lastPart(printable(project)), 16)
  const facts = [date, where].filter((fact) => fact !== '').join('  ')
  const name = shorten(printable(title), Math.max(columns - facts.length - 4, 8))
  const line = shorten(`${facts}  ${name}`, columns - 2)
  return isChosen ? style.bold(`▶ ${line}`) : `  ${line}`
}

function previewLines({ short, preview }: PickerItem, columns: number, room: number): string[] {
  const text = printable(preview).trim()
  return wrap(`${printable(short)}\n${text}`, columns, '', 'break')
    .split('\n')
    .slice(0, room)
}

/** The end of what was typed: there the cursor is. */
function tail(text: string, max: number): string {
  let kept = text
  while (width(kept) > Math.max(max, 1)) kept = [...kept].slice(1).join('')
  return kept
}

function lastPart(path: string): string {
  return path.split(/[/\\]/).findLast((part) => part !== '') ?? path
}
