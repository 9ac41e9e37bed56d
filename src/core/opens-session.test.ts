import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tempFolder } from '../../test/helpers/store.ts'
import { opensSession } from './opens-session.ts'

it('a session begins where its log is not there, or holds no answer yet', () => {
  const folder = tempFolder()
  const log = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  expect(opensSession(join(folder, 'none.jsonl'))).toBe(true)
  expect(opensSession(log('new.jsonl', '{"type":"user","message":{"role":"user","content":"continue"}}\n'))).toBe(true)
  expect(opensSession(log('old.jsonl', '{"type":"user"}\n{"type": "assistant","message":{}}\n'))).toBe(false)
  expect(opensSession(log('long.jsonl', 'x'.repeat(300_000)))).toBe(false)
  mkdirSync(join(folder, 'is-folder'))
  for (const unknown of [undefined, '', 7, '//host/share/log.jsonl', join(folder, 'is-folder')])
    expect(opensSession(unknown)).toBeUndefined()
})
