import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { appendTurns, exchange, seedSession, setTurnStatus } from '../../test/helpers/seed-ledger.ts'
import { NOON, tempFolder, tempStore } from '../../test/helpers/store.ts'
import { QMD_MARKER } from '../core/qmd-marker.ts'
import { indexer } from '../index/indexer.ts'
import { exportQmd } from './qmd-export.ts'
import { documentOfQmdFile } from './qmd-file.ts'

const OLD = new Date('2020-01-01T00:00:00Z')

async function exported() {
  const store = await tempStore()
  const dir = join(tempFolder(), 'qmd')
  const index = indexer({ store, clock: () => NOON, owner: { name: 'Jason Wu', timezone: 'UTC' } })
  const id = await seedSession(store, {
    id: 's1',
    turns: [exchange('How do we retry?', 'Three times.'), exchange('My key is AKIAIOSFODNN7EXAMPLE', 'Noted.')],
  })
  const run = async (agentId?: string) => {
    await index.tail()
    return exportQmd({ store, buildDocument: index.buildDocument, dir, agentId })
  }
  const files = () =>
    readdirSync(dir, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.md'))
      .sort()
  return { store, dir, id, run, files, index }
}

function age(dir: string, files: readonly string[]): void {
  for (const file of files) utimesSync(join(dir, file), OLD, OLD)
}

it('writes each document of the index, byte for byte, for the owner’s eyes only', async () => {
  const { store, dir, run, files, index } = await exported()
  expect(await run()).toMatchObject({ dir, written: 2, unchanged: 0, removed: 0, warnings: [] })
  expect(files()).toHaveLength(2)
  for (const file of files()) {
    const path = documentOfQmdFile(file)
    const row = await store.read
      .selectFrom('files')
      .selectAll()
      .where('path', '=', path ?? '')
      .executeTakeFirstOrThrow()
    const document = await index.buildDocument(row.turn_id ?? '')
    const text = readFileSync(join(dir, file), 'utf8')
    expect(text).toBe(document?.text)
    expect(text).not.toContain('AKIAIOSFODNN7EXAMPLE')
    expect(statSync(join(dir, file)).mode & 0o777).toBe(0o600)
  }
})

it('leaves unchanged files alone and writes what is new', async () => {
  const { store, dir, id, run, files } = await exported()
  await run()
  age(dir, files())
  expect(await run()).toMatchObject({ written: 0, unchanged: 2 })
  await appendTurns(store, id, [exchange('And then?', 'Give up.')])
  expect(await run()).toMatchObject({ written: 1, unchanged: 2, removed: 0 })
  expect(files().filter((file) => statSync(join(dir, file)).mtimeMs === OLD.getTime())).toHaveLength(2)
})

it('writes again what somebody removed or cut off', async () => {
  const { dir, run, files } = await exported()
  await run()
  const [first = '', second = ''] = files()
  const text = readFileSync(join(dir, second), 'utf8')
  rmSync(join(dir, first))
  writeFileSync(join(dir, second), 'short')
  expect(await run()).toMatchObject({ written: 2, unchanged: 0 })
  expect(readFileSync(join(dir, second), 'utf8')).toBe(text)
})

it('removes files of turns that are gone or superseded, with the folders that are empty then', async () => {
  const { store, dir, id, run, files } = await exported()
  await run()
  const [turn] = await store.read.selectFrom('agent_turns').select('id').orderBy('sequence').execute()
  await setTurnStatus(store, id, { [turn?.id ?? '']: 'superseded' })
  expect(await run()).toMatchObject({ written: 0, unchanged: 1, removed: 1 })
  await store.write(({ db }) => db.updateTable('agent_sessions').set({ status: 'deleted' }).where('id', '=', id).execute())
  await store.write(({ db }) => db.deleteFrom('files').where('session_id', '=', id).execute())
  expect(await run()).toMatchObject({ removed: 1 })
  expect(files()).toEqual([])
  expect(readdirSync(dir)).toEqual([QMD_MARKER])
})

it('never removes or overwrites a file that it did not write', async () => {
  const { dir, run, files } = await exported()
  await run()
  const [mine = ''] = files()
  // A foreign file has our name.
  rmSync(join(dir, QMD_MARKER))
  writeFileSync(join(dir, mine), 'mine')
  writeFileSync(join(dir, 'sessions', 'note.md'), 'note')
  const report = await run()
  expect(report).toMatchObject({ written: 0, unchanged: 1, removed: 0 })
  expect(report.warnings).toEqual([expect.stringContaining('is not ours')])
  expect(readFileSync(join(dir, mine), 'utf8')).toBe('mine')
  expect(readFileSync(join(dir, 'sessions', 'note.md'), 'utf8')).toBe('note')
})

it('a list that somebody changed leads nowhere else', async () => {
  const { dir, run } = await exported()
  await run()
  const outside = join(dir, '..', 'outside.md')
  writeFileSync(outside, 'outside')
  writeFileSync(
    join(dir, QMD_MARKER),
    `${readFileSync(join(dir, QMD_MARKER), 'utf8')}abc\t7\tsessions/../../outside.md\nabc\t7\t../outside.md\n`,
  )
  expect(await run()).toMatchObject({ removed: 0 })
  expect(readFileSync(outside, 'utf8')).toBe('outside')
  writeFileSync(join(dir, QMD_MARKER), 'something else\n')
  await expect(run()).rejects.toMatchObject({ code: 'STORAGE_ERROR' })
})

it('a run that was killed leaves no file that the next one does not know', async () => {
  const { store, dir, id, run, files } = await exported()
  await run()
  const list = readFileSync(join(dir, QMD_MARKER), 'utf8')
  writeFileSync(join(dir, QMD_MARKER), `${list.replace(/^[0-9a-f]+\t\d+/gm, '\t0')}abc\t1\tsessions/torn`)
  await appendTurns(store, id, [exchange('And then?', 'Give up.')])
  expect(await run()).toMatchObject({ written: 3, warnings: [] })
  await store.write(({ db }) => db.deleteFrom('files').where('session_id', '=', id).execute())
  await store.write(({ db }) => db.updateTable('agent_sessions').set({ status: 'deleted' }).where('id', '=', id).execute())
  expect(await run()).toMatchObject({ removed: 3 })
  expect(files()).toEqual([])
})

it('exports one persona’s documents, and says what is wrong where it cannot write', async () => {
  const { store, dir, run } = await exported()
  await seedSession(store, { id: 's2', agentId: 'other', turns: [exchange('Secret plan?', 'Yes.')] })
  expect(await run('main')).toMatchObject({ written: 2 })
  const file = join(dir, 'file')
  mkdirSync(dir, { recursive: true })
  writeFileSync(file, '')
  await expect(exportQmd({ store, buildDocument: async () => undefined, dir: join(file, 'below'), agentId: 'main' })).rejects.toMatchObject(
    {
      code: 'STORAGE_ERROR',
    },
  )
})
