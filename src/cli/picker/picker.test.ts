import { describe, expect, it } from 'vitest'
import { width } from '../format/layout.ts'
import { style } from '../format/style.ts'
import { frame, type ScreenEvents } from '../full-screen.ts'
import { pick } from './picker.ts'
import { pickerLines } from './picker-lines.ts'

const items = ['a', 'b', 'c'].map((id) => ({ id, short: id, title: `title ${id}`, project: null, timestamp: null, preview: `about ${id}` }))

async function pressed(...keys: string[]) {
  let events: ScreenEvents | undefined
  let left = 0
  const leave = () => {
    left += 1
  }
  const asked: string[] = []
  const acted: string[] = []
  const drawn: string[] = []
  let opened = 0
  const picked = pick({
    query: 'tide',
    search: async (query) => {
      asked.push(query)
      return { items }
    },
    act: async (action, item) => {
      acted.push(`${action} ${item.id} with ${opened - left} screens`)
      if (item.id === 'c') throw new Error('not published')
    },
    openScreen: (given) => {
      events = given
      opened += 1
      return { columns: 80, rows: 20, draw: (lines) => drawn.push(lines.join('\n')), leave }
    },
    style: style(false),
  })
  await new Promise((resolve) => setImmediate(resolve))
  for (const key of keys) {
    const ctrl = key.startsWith('ctrl-')
    events?.key({ name: ctrl ? key.slice(5) : key, ctrl }, key.length === 1 ? key : '')
    await new Promise((resolve) => setImmediate(resolve))
  }
  const { action, item } = await picked
  return { action, id: item?.id, screens: [opened, left], asked, acted, drawn }
}

it.each([
  [['ctrl-n', 'ctrl-n', 'ctrl-n', 'ctrl-p', 'ctrl-r'], 'resume', 'b'],
  [['pagedown', 'ctrl-r'], 'resume', 'c'],
  [['down', 'up', 'up', 'ctrl-r'], 'resume', 'a'],
  [['escape'], 'leave', undefined],
  [['ctrl-d'], 'leave', undefined],
  [['ctrl-c'], 'interrupt', undefined],
])('%j: %s %s, and the screen is given back once', async (keys, action, id) => {
  expect(await pressed(...keys)).toMatchObject({ action, id, screens: [1, 1] })
})

it.each([
  [['return', 'down', 'ctrl-o', 'escape'], ['show a with 0 screens', 'open b with 0 screens'], 3],
  [['down', 'return', 'return', 'escape'], ['show b with 0 screens', 'show b with 0 screens'], 3],
])('%j: what is chosen has the terminal, then the list comes back where it was', async (keys, acted, screens) => {
  expect(await pressed(...keys)).toMatchObject({ action: 'leave', acted, screens: [screens, screens] })
})

it('an error of what was chosen is shown above the list', async () => {
  const { drawn, action } = await pressed('pagedown', 'ctrl-o', 'escape')
  expect([action, drawn.at(-1)]).toEqual(['leave', expect.stringContaining('not published')])
})

it('what is typed is asked when the hand rests, once', async () => {
  const slow = pressed('s', 'x', 'backspace', 'ctrl-c')
  expect(await slow).toMatchObject({ action: 'interrupt', asked: ['tide'] })
})

describe.each([50, 80, 200])('a screen of %i columns', (columns) => {
  it.each([12, 24, 40])('and %i rows keeps its last line, the keys, and marks what matched', (rows) => {
    const many = Array.from({ length: 50 }, (_, i) => ({
      ...{ id: `s${i}`, short: `s${i}`, title: `the tide table ${i}`, project: '/x/harbour', timestamp: '2026-09-01T10:00:00Z' },
      preview: `${'a line above\n'.repeat(60)}  if (tide) {\n    moor()\n`,
      matched: ['tide'],
    }))
    const view = { query: 'tide', items: many, chosen: 30, message: '50 sessions', columns, rows }
    const { lines, column } = pickerLines({ ...view, style: style(false) })
    expect(lines).toHaveLength(rows)
    expect(Math.max(...lines.map(width))).toBeLessThanOrEqual(columns)
    const shown = screenOf(frame(lines, column, rows), rows)
    expect(shown.at(-1)).toMatch(/^enter show .*esc leave$/)
    expect(shown).toContain('  if (tide) {')
    const marked = pickerLines({ ...view, style: style(true) }).lines
    expect(marked.find((line) => line.includes('▶'))).toContain('\u001b[33mtide\u001b[39m')
    expect(marked.findLast((line) => line.includes('if ('))).toContain('\u001b[33mtide\u001b[39m')
  })
})

function screenOf(drawn: string, rows: number): string[] {
  const screen = Array<string>(rows).fill('something old')
  let row = 0
  for (const [, at, sign, text] of drawn.matchAll(/\u001b\[(?:(\d+);\d+H|\?25[lh]|([JK0-9]*[JK]))|([^\u001b]+)/g)) {
    if (at !== undefined) row = Math.min(Number(at), rows) - 1
    else if (sign === '2K') screen[row] = ''
    else if (sign === 'J') screen.fill('', row)
    else if (text !== undefined) screen[row] = text
  }
  return screen
}
