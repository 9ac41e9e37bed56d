import { execFile } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openModel, provedModel, writeModel } from './model-file.ts'

const root = mkdtempSync(join(tmpdir(), 'model-file-'))
const written = join(root, 'written')
let folder = ''
beforeAll(async () => {
  await writeModel(written)
})
beforeEach(() => {
  folder = join(root, `${Math.random()}`, 'models')
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

describe('model file', () => {
  it('format 2 of the weights 0.1.0 is these bytes: who changes them counts MODEL_FORMAT up', async () => {
    const { path, bytes } = await writeModel(folder)
    expect(basename(path)).toBe('all-MiniLM-L6-v2-0.1.0-int8-2-f7e560d3a728319f.onnx')
    expect(bytes.length).toBeLessThan(24_000_000)
  })

  it('is written once, for the owner only, and read after that', async () => {
    const { path } = await openModel(folder)
    const { mtimeMs, mode } = statSync(path)
    expect(mode & 0o777).toBe(0o600)
    expect((await openModel(folder)).path).toBe(path)
    expect(statSync(path).mtimeMs).toBe(mtimeMs)
    expect(readdirSync(folder)).toEqual([basename(path), `${basename(path)}.proved`])
  })

  it.each([
    ['a changed byte', (bytes: Buffer) => bytes.fill(bytes.readUInt8(20_000_000) ^ 1, 20_000_000, 20_000_001)],
    ['a cut end', (bytes: Buffer) => bytes.subarray(0, 1_000_000)],
    ['no byte at all', () => Buffer.alloc(0)],
  ])('a file with %s is written again', async (_, damage) => {
    cpSync(written, folder, { recursive: true })
    const { path } = await openModel(folder)
    const good = readFileSync(path)
    const bad = Buffer.from(good)
    writeFileSync(path, damage(bad))
    expect(Buffer.compare((await openModel(folder)).bytes, good)).toBe(0)
    expect(Buffer.compare(readFileSync(path), good)).toBe(0)
  })

  it('one that was proved whole is known by its looks, until somebody touches it', async () => {
    expect(provedModel(folder)).toBeUndefined()
    cpSync(written, folder, { recursive: true })
    const { path } = await openModel(folder)
    expect(provedModel(folder)).toBe(path)
    const bytes = readFileSync(path)
    writeFileSync(path, bytes.fill(bytes.readUInt8(20_000_000) ^ 1, 20_000_000, 20_000_001))
    utimesSync(path, 1, 1)
    expect(provedModel(folder)).toBeUndefined()
    await openModel(folder)
    expect(provedModel(folder)).toBe(path)
    if (process.platform === 'win32') return
    chmodSync(`${path}.proved`, 0o666)
    expect(provedModel(folder)).toBeUndefined() // the note could be forged
    chmodSync(`${path}.proved`, 0o600)
    chmodSync(path, 0o666)
    await openModel(folder)
    expect(provedModel(folder)).toBeUndefined() // the model could change afterwards
  })

  it('what a killed writer left is removed when it is old', async () => {
    cpSync(written, folder, { recursive: true })
    const { path } = await openModel(folder)
    for (const name of ['.old.onnx.tmp', '.young.onnx.tmp']) writeFileSync(join(folder, name), 'x')
    utimesSync(join(folder, '.old.onnx.tmp'), 0, 0)
    await writeModel(folder)
    expect(readdirSync(folder).sort()).toEqual(['.young.onnx.tmp', basename(path), `${basename(path)}.proved`])
  })

  it('a file of the format before serves who is in a hurry, until the new one is written in its place', async () => {
    mkdirSync(folder, { recursive: true })
    const older = join(folder, 'all-MiniLM-L6-v2-0.1.0-int8-1-3b8a386ad6a6a6cb.onnx')
    writeFileSync(older, 'as it was', { mode: 0o600 })
    const { size, mtimeNs, ctimeNs, ino } = statSync(older, { bigint: true })
    writeFileSync(`${older}.proved`, [size, mtimeNs, ctimeNs, ino].join(' '), { mode: 0o600 })
    expect(provedModel(folder)).toBe(older)
    const { path } = await openModel(folder)
    expect(provedModel(folder)).toBe(path)
    expect(readdirSync(folder).sort()).toEqual([basename(path), `${basename(path)}.proved`])
  })

  it('processes that write at the same time leave one whole file', async () => {
    const code = `import { openModel } from ${JSON.stringify(new URL('../../../dist/embed/minilm/model-file.js', import.meta.url).href)}
      process.stdout.write((await openModel(process.argv[1])).path)`
    const run = () => promisify(execFile)(process.execPath, ['--input-type=module', '-e', code, folder])
    const paths = (await Promise.all([run(), run(), run()])).map(({ stdout }) => stdout)
    expect(new Set(paths).size).toBe(1)
    expect(readdirSync(folder)).toEqual([basename(paths[0] ?? ''), `${basename(paths[0] ?? '')}.proved`])
    expect((await openModel(folder)).path).toBe(paths[0])
  })

  it('a folder that cannot be written is named in the error', async () => {
    const file = join(root, 'a-file')
    writeFileSync(file, '')
    await expect(openModel(join(file, 'models'))).rejects.toMatchObject({ code: 'STORAGE_ERROR' })
  })
})
