/** A reader of files stands in for a model: `bench/model/answer-from-folder.js`, as the provider `command` runs it. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { commandDriver } from '../../src/analyze/llm/drivers/command.ts'
import { fencedLines } from '../../src/analyze/llm/recorded-text.ts'
import { testHome } from '../helpers/home.ts'

const PROGRAM = fileURLToPath(new URL('../../bench/model/answer-from-folder.js', import.meta.url))
const INSTRUCTIONS = 'Answer with one JSON object.\n\nRules:\n- "quote" is copied.'
const TEXT = fencedLines('said', ['m1. person: we take SQLite'])

function reader(wait?: string) {
  const folder = join(testHome().logs, 'folder')
  const command = [process.execPath, PROGRAM, '--folder', folder, '--model', 'reader', ...(wait === undefined ? [] : ['--wait', wait])]
  const driver = commandDriver({ command, model: 'reader', env: process.env, keyVariable: undefined })
  const call = { instructions: INSTRUCTIONS, text: TEXT, schema: z.object({}), longestAnswer: 100 }
  const ask = () => driver.call(call, { signal: undefined, timeoutMs: 20_000 })
  const asked = () => (existsSync(join(folder, 'asked')) ? readdirSync(join(folder, 'asked')).filter((name) => name.endsWith('.md')) : [])
  const answer = (text: string) => {
    mkdirSync(join(folder, 'answered'), { recursive: true })
    for (const name of asked()) writeFileSync(join(folder, 'answered', name.replace('.md', '.json')), text)
  }
  return { folder, ask, asked, answer }
}

it('writes down what nobody answered yet, and prints the answer once there is one', async () => {
  const { folder, ask, asked, answer } = reader()
  expect(await ask()).toEqual({ text: '(not answered yet)\n', usage: undefined })
  expect(await ask()).toMatchObject({ text: '(not answered yet)\n' })
  const [name = '', ...others] = asked()
  expect(others).toEqual([])
  const text = readFileSync(join(folder, 'asked', name), 'utf8')
  const [, shared = ''] = /^instructions: (\S+)\n/.exec(text) ?? []
  expect(text).toBe(`instructions: ${shared}\nanswer: answered/${name.replace('.md', '.json')}\n\n${TEXT}\n`)
  expect(readFileSync(join(folder, shared), 'utf8')).toBe(`${INSTRUCTIONS}\n`)
  answer('{"found": true}')
  expect(await ask()).toEqual({ text: '{"found": true}', usage: undefined })
})

it('waits for an answer if it is told to, and fails cleanly when none comes', async () => {
  const { ask, asked, answer } = reader('10')
  const waiting = ask()
  while (asked().length === 0) await new Promise((done) => setTimeout(done, 20))
  answer('{"late": true}')
  expect(await waiting).toEqual({ text: '{"late": true}', usage: undefined })
  const nobody = await reader('0.3').ask()
  expect('failure' in nobody && String(nobody.failure.error)).toMatch(/nobody answered [0-9a-f]{16} within 0\.3 s/)
})
