import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { leftOver } from '../../test/helpers/canaries.ts'
import { testHome } from '../../test/helpers/home.ts'
import { claudeCodeSource } from '../../test/helpers/sources/claude-code.ts'
import { plainText } from '../analyze/plain-line.ts'
import { cleanText } from '../index/document.ts'
import type { ForgetReport } from './forget.ts'
import { textMatch } from './select/text-match.ts'

const MARCH = Date.UTC(2026, 2, 1, 9)

const FORMS: readonly (readonly [name: string, raw: string, shown: string])[] = [
  ['bold inside a word', 'The **dead**line of Zephyrplan moved', 'deadline of Zephyrplan'],
  ['bold words', 'The **deadline** of **Zephyrplan** moved', 'deadline of Zephyrplan'],
  ['code and underscores', 'The `deadline` of __Zephyrplan__ moved', 'deadline of Zephyrplan'],
  ['soft hyphens', 'The dead\u00adline of Zephyr\u00adplan moved', 'deadline of Zephyrplan'],
  ['zero-width characters', 'The dead\u200bline of Ze\u2060phyr\ufeffplan moved', 'deadline of Zephyrplan'],
  ['joiners', 'The dead\u200dline of Zephyr\ufe0fplan moved', 'deadline of Zephyrplan'],
  ['colours of a terminal', 'The \u001b[1mdead\u001b[0mline of \u001b[38;5;9mZephyrplan\u001b[0m moved', 'deadline of Zephyrplan'],
  ['a link of a terminal', 'The \u001b]8;;http://x.io\u0007deadline\u001b]8;;\u0007 of Zephyrplan moved', 'deadline of Zephyrplan'],
  ['control characters', 'The dead\u0008line of Zephyr\u0000plan moved', 'deadline of Zephyrplan'],
  ['a quotation in lines', 'He wrote:\n> The deadline\n> of Zephyrplan\n> moved', 'deadline of Zephyrplan'],
  ['a list', 'Topics:\n- deadline\n- of Zephyrplan', 'deadline of Zephyrplan'],
  ['tags', 'The deadline<br>of <b>Zephyrplan</b> moved', 'deadline of Zephyrplan'],
]

it.each(FORMS)('%s: the samples are what is shown', (_, raw, shown) => {
  expect([cleanText(raw), plainText(raw)].some((text) => text.replace(/\s+/g, ' ').includes(shown))).toBe(true)
})

it.each(FORMS)('%s: recognised, also behind the escapes of JSON', (_, raw, shown) => {
  const json = JSON.stringify({ said: raw })
  const ascii = json.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  for (const value of [raw, json, ascii, JSON.stringify(json)]) expect(textMatch(shown).holds(value), value).toBe(true)
  expect(textMatch('deadlines of Zephyr').holds(raw)).toBe(false)
})

it('marks that belong to the text are part of it', () => {
  expect(textMatch('__init__.py').holds('see __init__.py here')).toBe(true)
  expect(textMatch('__init__.py').holds('see init.py here')).toBe(false)
  expect(textMatch('snake_case').holds('a snakecase word')).toBe(false)
  expect(textMatch('2*3*4').holds('it is 2*3*4 now')).toBe(true)
  expect(textMatch('dead\u00adline').holds('the deadline')).toBe(true)
  expect(textMatch('\\[x\\] done').holds('the [x] done')).toBe(true) // as MEMORY.md escapes it
})

it('there is one way to read a long run of marks: a second one would take for ever', () => {
  const marks = ['*', '_', '~', '`', '\u200b', '\ufeff', '\u001b', '\u001b[', '\u001b]', '\u009b1', '<', '<a', ' ', '\n>', '\n1.', '\n']
  const escapes = ['\\', '\\b', '\\n', '\\u200b', '\\u001b[', '\\\\u001b[', '\\u001b]', '\u001b[\\\\u200b']
  for (const mark of [...marks, ...escapes]) {
    for (const text of ['deadline of Zephyrplan', '**dead', 'deal line']) {
      expect(textMatch(text).holds(`dead${mark.repeat(5_000)}x dea${mark.repeat(5_000)}`), mark).toBe(false)
    }
  }
})

describe('forgetting what is shown', () => {
  it.each(FORMS)('%s: taken out of the raw record, and proven in both forms', async (_, raw, shown) => {
    const home = testHome()
    const sources = join(home.root, 'sources')
    mkdirSync(sources)
    mkdirSync(join(home.root, 'workspace'))
    claudeCodeSource.write(sources, 'one', [
      { prompt: 'How do tides work?', answer: 'By the pull of the moon.', at: MARCH },
      {
        ...{ prompt: raw, answer: 'Understood, so be it.', at: MARCH + 1000 },
        tool: { name: 'Read', params: { path: '/srv/a' }, result: `first\n${raw}` },
      },
    ])
    const mnemonic = await home.open()
    await mnemonic.sync({ path: sources, embed: false })
    await mnemonic.artifacts.publish()
    const note = join(home.root, 'workspace', 'own.txt')
    writeFileSync(note, raw)
    const report = (await mnemonic.forget({ match: shown })) as ForgetReport
    expect(report).toMatchObject({
      status: 'still_held',
      still_held: [{ path: note, owner: 'other' }],
      removed: { message: 1, call_result: 1 },
    })
    const parts = ['Zephyr', 'deadline', 'dead\u00adline', 'dead**line']
    expect(leftOver([join(home.root, 'home'), join(home.root, 'workspace', 'memory')], parts)).toEqual([])
    expect((await mnemonic.search({ query: 'moon' })).results.length).toBeGreaterThan(0)
  })
})
