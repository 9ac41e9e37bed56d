import { describe, expect, it } from 'vitest'
import { compactionPath, turnPath } from '../core/ids.ts'
import { documentOfQmdFile, qmdFile } from './qmd-file.ts'

const IDS = [
  'claude-code:f3ce9c3b/msg_01gZeFECTJiFxrUZRGHhfK2S2g',
  'jsonl:a/b/../../../etc/passwd',
  'jsonl:con/aux',
  'jsonl:NUL.',
  'jsonl:tab\tand\nline/ü~=+%',
  'jsonl:数据库/😀',
  `jsonl:${'x'.repeat(400)}/${'Y'.repeat(200)}`,
  'con',
  '..',
  '.hidden',
]

describe('the file of an exported document', () => {
  it.each(IDS)('leads back to the document: %j', (id) => {
    for (const path of [turnPath('a label', id), compactionPath('..', id)]) expect(documentOfQmdFile(qmdFile(path) ?? '')).toBe(path)
  })

  it.each(IDS)('is a name that every file system takes: %j', (id) => {
    const names = (qmdFile(turnPath('..', id)) ?? '').split('/')
    for (const name of names) {
      expect(name).toMatch(/^[a-z0-9_+=~-]+(?:\.md)?$/)
      expect(name.length).toBeLessThanOrEqual(200)
      expect(name).not.toMatch(/^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/)
    }
  })

  it('differs where only the case of two ids differs, also on a file system that knows no case', () => {
    const [one, two] = ['jsonl:s/msg_aB', 'jsonl:s/msg_Ab'].map((id) => qmdFile(turnPath('s', id))?.toLowerCase())
    expect(one).not.toBe(two)
  })

  it('does not mistake an escape for the character that it stands for', () => {
    const files = ['a:b', 'a=3ab', 'a+b', 'aB', 'a~/b', 'a~b', 'a/b'].map((id) => qmdFile(turnPath('s', id)))
    expect(new Set(files).size).toBe(files.length)
  })

  it('exists for documents of turns and compactions only', () => {
    expect(qmdFile('notes/plan.md')).toBeUndefined()
    expect(qmdFile('events/mail/1.md')).toBeUndefined()
    expect(documentOfQmdFile('sessions/a/turns/not ours.md')).toBeUndefined()
  })
})
