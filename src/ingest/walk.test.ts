import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { walk } from './walk.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'mnemonic-walk-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

async function found(path = root): Promise<{ paths: string[]; warnings: string[] }> {
  const paths: string[] = []
  const warnings: string[] = []
  for await (const unit of walk(path, { accept: (file) => file.endsWith('.jsonl'), warn: (message) => warnings.push(message) })) {
    paths.push(relative(root, unit.path))
  }
  return { paths, warnings }
}

describe('walk', () => {
  it('finds accepted files in every depth, in the order of their names', async () => {
    mkdirSync(join(root, 'b/c'), { recursive: true })
    for (const file of ['z.jsonl', 'a.jsonl', 'a.txt', 'b/c/x.jsonl', 'b/y.jsonl']) writeFileSync(join(root, file), file)
    expect(await found()).toEqual({ paths: ['a.jsonl', 'b/c/x.jsonl', 'b/y.jsonl', 'z.jsonl'], warnings: [] })
  })

  it('gives size and modification time from one stat', async () => {
    writeFileSync(join(root, 'a.jsonl'), '12345')
    for await (const unit of walk(root, { accept: () => true, warn: () => {} })) {
      expect(unit.size).toBe(5)
      expect(unit.mtimeMs).toBeGreaterThan(0)
    }
  })

  it('a file named as the root is found whatever its name', async () => {
    writeFileSync(join(root, 'log.txt'), 'x')
    expect((await found(join(root, 'log.txt'))).paths).toEqual(['log.txt'])
  })

  it('a loop of links ends, and a file behind a link is found once', async () => {
    mkdirSync(join(root, 'a'))
    writeFileSync(join(root, 'a/x.jsonl'), 'x')
    symlinkSync(root, join(root, 'a/up'))
    symlinkSync(join(root, 'a'), join(root, 'b'))
    expect(await found()).toEqual({ paths: ['a/x.jsonl'], warnings: [] })
  })

  it('a link out of the root is not followed', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'mnemonic-outside-'))
    writeFileSync(join(outside, 'secret.jsonl'), 'x')
    mkdirSync(join(root, 'a'))
    symlinkSync(outside, join(root, 'a/out'))
    symlinkSync(join(outside, 'secret.jsonl'), join(root, 'a/link.jsonl'))
    expect((await found()).paths).toEqual([])
    rmSync(outside, { recursive: true })
  })

  it('a link to nowhere is a warning, and the rest goes on', async () => {
    symlinkSync(join(root, 'gone'), join(root, 'a.jsonl'))
    writeFileSync(join(root, 'b.jsonl'), 'x')
    const { paths, warnings } = await found()
    expect(paths).toEqual(['b.jsonl'])
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toContain('a.jsonl')
  })

  it.skipIf(process.getuid?.() === 0)('a folder that may not be listed is a warning, and the rest goes on', async () => {
    mkdirSync(join(root, 'closed'))
    writeFileSync(join(root, 'open.jsonl'), 'x')
    chmodSync(join(root, 'closed'), 0o000)
    const { paths, warnings } = await found()
    chmodSync(join(root, 'closed'), 0o700)
    expect(paths).toEqual(['open.jsonl'])
    expect(warnings[0]).toContain('closed')
  })

  it('a root that does not exist is an error with a code', async () => {
    await expect(found(join(root, 'nowhere'))).rejects.toMatchObject({ code: 'SOURCE_UNREADABLE' })
  })
})
