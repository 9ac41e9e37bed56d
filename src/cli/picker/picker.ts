import type { Key } from 'node:readline'
import { asMnemonicError } from '../../core/error.ts'
import { plural } from '../../core/text.ts'
import type { Style } from '../format/style.ts'
import type { FullScreen, ScreenEvents } from '../full-screen.ts'
import { type PickerItem, pickerLines } from './picker-lines.ts'

export interface Found {
  readonly items: readonly PickerItem[]
  readonly message?: string
}

export interface PickerOptions {
  readonly query: string
  readonly search: (query: string) => Promise<Found>
  readonly act: (action: 'show' | 'open', item: PickerItem) => Promise<void>
  readonly openScreen: (events: ScreenEvents) => FullScreen
  readonly style: Style
}

export interface Picked {
  readonly action: 'resume' | 'leave' | 'interrupt'
  readonly item?: PickerItem
  readonly items: readonly PickerItem[]
}

/** Debounce after the last key. */
const PAUSE_MS = 150

export async function pick({ query: asked, search, act, openScreen, style }: PickerOptions): Promise<Picked> {
  let query = asked
  let items: readonly PickerItem[] = []
  let chosen = 0
  let message = ''
  let asking = 0
  let timer: NodeJS.Timeout | undefined
  let finish: (picked: Omit<Picked, 'items'>) => void = () => undefined
  const ended = new Promise<Omit<Picked, 'items'>>((resolve) => {
    finish = resolve
  })
  let screen: FullScreen | undefined = openScreen({ key: onKey, resize: draw })

  function draw(): void {
    if (screen === undefined) return
    const { columns, rows } = screen
    const { lines, column } = pickerLines({ query, items, chosen, message, style, columns, rows })
    screen.draw(lines, column)
  }

  async function ask(): Promise<void> {
    asking += 1
    const mine = asking
    message = 'searching…'
    draw()
    try {
      const found = await search(query)
      if (mine !== asking) return // a newer query replaced this one
      items = found.items
      chosen = 0
      message = found.message ?? plural(items.length, 'session')
    } catch (error) {
      if (mine !== asking) return
      items = []
      message = asMnemonicError(error).message
    }
    draw()
  }

  function type(changed: string): void {
    query = changed
    clearTimeout(timer)
    timer = setTimeout(() => void ask(), PAUSE_MS)
    draw()
  }

  function move(by: number): void {
    chosen = Math.max(0, Math.min(chosen + by, items.length - 1))
    draw()
  }

  async function choose(action: 'show' | 'open'): Promise<void> {
    const item = items[chosen]
    if (item === undefined) return
    screen?.leave()
    screen = undefined
    let failed = ''
    try {
      await act(action, item)
    } catch (error) {
      failed = asMnemonicError(error).message
    }
    screen = openScreen({ key: onKey, resize: draw })
    if (failed !== '') message = failed
    draw()
  }

  function resume(): void {
    const item = items[chosen]
    if (item !== undefined) finish({ action: 'resume', item })
  }

  const acts = keyActions({ finish, choose, move, resume, edit: (change) => type(change(query)) })

  function onKey({ name = '', ctrl = false, meta = false }: Key, text: string): void {
    const act = acts.get(ctrl ? `ctrl-${name}` : name)
    if (act !== undefined) act()
    else if (!ctrl && !meta && /^[^\p{Cc}]+$/u.test(text)) type(query + text)
  }

  try {
    void ask()
    return { ...(await ended), items }
  } finally {
    asking += 1
    clearTimeout(timer)
    screen?.leave()
  }
}

interface KeyActions {
  finish(picked: Omit<Picked, 'items'>): void
  choose(action: 'show' | 'open'): Promise<void>
  move(by: number): void
  resume(): void
  edit(change: (query: string) => string): void
}

function keyActions({ finish, choose, move, resume, edit }: KeyActions): Map<string, () => void> {
  return new Map([
    ['ctrl-c', () => finish({ action: 'interrupt' })],
    ['ctrl-d', () => finish({ action: 'leave' })],
    ['escape', () => finish({ action: 'leave' })],
    ['return', () => void choose('show')],
    ['enter', () => void choose('show')],
    ['ctrl-o', () => void choose('open')],
    ['ctrl-r', resume],
    ['up', () => move(-1)],
    ['ctrl-p', () => move(-1)],
    ['down', () => move(1)],
    ['ctrl-n', () => move(1)],
    ['pageup', () => move(-10)],
    ['pagedown', () => move(10)],
    ['backspace', () => edit((query) => [...query].slice(0, -1).join(''))],
    ['ctrl-u', () => edit(() => '')],
    ['ctrl-w', () => edit((query) => query.replace(/\S*\s*$/, ''))],
  ])
}
