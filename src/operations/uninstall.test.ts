import { appendFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { spokenHome } from '../../test/helpers/spoken-home.ts'
import { NOON } from '../../test/helpers/store.ts'
import type { Dossier } from '../artifacts/dossiers/cited.ts'
import { writeDossier } from '../artifacts/dossiers/dossier-files.ts'
import { keptConfig } from '../config/kept-config.ts'
import { resolvePaths } from '../config/paths.ts'
import { leaveTrace } from '../core/hook-traces.ts'
import { sqliteFiles } from '../store/sqlite/files/database-files.ts'
import type { Registered } from './registrations.ts'
import { uninstall } from './uninstall.ts'

async function usedHome() {
  const home = spokenHome()
  const mnemonic = await home.spoken()
  const { artifacts } = mnemonic
  await artifacts.publish({ session: 'orchard' })
  await mnemonic.index.exportQmd()
  await mnemonic.safekeeping.backup(join(home.root, 'kept.db'))
  await mnemonic.close()
  const at = (...parts: string[]) => join(home.root, ...parts)
  for (const folder of ['models', 'logs', 'answers', 'mine']) mkdirSync(at('home', folder))
  writeFileSync(at('home', 'models', 'all-MiniLM-L6-v2-1-int8-1-0123.onnx'), 'weights')
  writeFileSync(at('home', 'models', 'my-own-model.bin'), 'mine')
  writeFileSync(at('home', 'logs', 'hooks.log'), 'log')
  writeFileSync(at('home', 'answers', '0123456789abcdef01234567.json'), '{"ids":[]}')
  writeFileSync(at('home', 'mine', 'letter.txt'), 'mine')
  writeFileSync(at('home', 'config.yaml'), 'agent: main\n')
  await keptConfig({ paths: resolvePaths({ home: at('home'), workspace: at('workspace') }) })
  for (const name of ['prompt-0123456789abcdef.bin', 'others-0123456789abcdef.bin.77', 'config.json.77'])
    writeFileSync(at('home', 'code', name), 'x')
  for (const name of ['proved', 'proved.77']) writeFileSync(at('home', 'models', `all-MiniLM-L6-v2-1-int8-1-0123.onnx.${name}`), '1 2')
  const trace = leaveTrace(at('home'), { harness: 'codex', event: 'stop', payload: { session_id: 's1' } })
  writeFileSync(`${trace}.77`, '{"har')
  for (const name of ['hook-failures.json', 'hook-failures.json.123']) writeFileSync(at('home', name), '{}')
  writeFileSync(at('workspace', 'memory', 'notes.md'), 'my own notes')
  writeFileSync(at('workspace', 'memory', 'tombstones.jsonl'), '')
  const context = { files: sqliteFiles(() => NOON), paths: resolvePaths({ home: at('home'), workspace: at('workspace') }), clock: Date.now }
  return { at, context }
}

const paths = (items: readonly { path: string }[] | undefined) => (items ?? []).map(({ path }) => path)

it('without purge nothing goes, and everything is named', async () => {
  const { at, context } = await usedHome()
  const before = readdirSync(at(), { recursive: true }).length
  const report = await uninstall(context, { confirm: () => Promise.reject(new Error('nothing to ask')) })
  expect(report?.removed).toEqual([])
  expect(paths(report?.kept)).toEqual(expect.arrayContaining([at('home', 'mnemonic.db'), at('kept.db'), at('workspace', 'MEMORY.md')]))
  expect(report?.package).toBe('npm uninstall -g agent-mnemonic')
  expect(readdirSync(at(), { recursive: true })).toHaveLength(before)
})

it('a purge takes the files of the home that are ours, and nothing else', async () => {
  const { at, context } = await usedHome()
  const published = readdirSync(at('workspace', 'memory'))
  const planned = await uninstall(context, { purge: true, dryRun: true })
  expect(existsSync(at('home', 'mnemonic.db'))).toBe(true)
  const report = await uninstall(context, { purge: true, confirm: async (plan) => plan.removed.length > 0 })
  expect(paths(report?.removed)).toEqual(paths(planned?.removed))
  expect(readdirSync(at('home'), { recursive: true }).sort()).toEqual(['mine', 'mine/letter.txt', 'models', 'models/my-own-model.bin'])
  expect(report?.kept).toContainEqual({ path: at('home', 'models', 'my-own-model.bin'), what: 'not ours', bytes: 4 })
  expect(report?.kept).toContainEqual(expect.objectContaining({ path: at('kept.db'), what: 'a backup of yours (raw)' }))
  expect(readdirSync(at('workspace', 'memory'))).toEqual(published)
  expect(existsSync(at('kept.db'))).toBe(true)
})

it('published files go only when that is asked for too, and what keeps forgotten things out stays even then', async () => {
  const { at, context } = await usedHome()
  await expect(uninstall(context, { artifacts: true })).rejects.toMatchObject({ code: 'USAGE' })
  await uninstall(context, { purge: true, artifacts: true })
  expect(readdirSync(at('workspace', 'memory')).sort()).toEqual(['notes.md', 'tombstones.jsonl'])
  expect(existsSync(at('workspace', 'MEMORY.md'))).toBe(false)
})

it('answering no removes nothing', async () => {
  const { at, context } = await usedHome()
  expect(await uninstall(context, { purge: true, confirm: async () => false })).toBeUndefined()
  expect(existsSync(at('home', 'mnemonic.db'))).toBe(true)
})

it('a home that a process works in is not removed', async () => {
  const { at, context } = await usedHome()
  const db = new Database(at('home', 'mnemonic.db'))
  db.prepare("insert into leases (name, owner, pid, host, acquired_at, expires_at) values ('writer', 'x/', 1, 'another-host', ?, ?)").run(
    Date.now(),
    Date.now() + 60_000,
  )
  db.close()
  await expect(uninstall(context, { purge: true })).rejects.toMatchObject({ code: 'JOB_RUNNING' })
  expect(existsSync(at('home', 'mnemonic.db'))).toBe(true)
})

it('what an installer wired in is listed, and undone by a purge', async () => {
  const { context } = await usedHome()
  const undone: Registered[] = []
  const registration = {
    name: 'editor',
    find: async () => [{ path: '/etc/editor.json', what: 'the hooks of the editor' }],
    remove: async (found: Registered) => void undone.push(found),
  }
  const more = { ...context, registrations: [registration] }
  expect(paths((await uninstall(more))?.kept)).toContain('/etc/editor.json')
  expect(undone).toEqual([])
  expect(paths((await uninstall(more, { purge: true }))?.removed)).toContain('/etc/editor.json')
  expect(undone).toEqual([{ path: '/etc/editor.json', what: 'the hooks of the editor' }])
})

it('a database that cannot be read does not keep its home from being removed', async () => {
  const { at, context } = await usedHome()
  writeFileSync(at('home', 'mnemonic.db'), 'no database at all')
  const report = await uninstall(context, { purge: true })
  expect(paths(report?.removed)).toContain(at('home', 'mnemonic.db'))
  expect(existsSync(at('home', 'mnemonic.db'))).toBe(false)
})

it('a dossier goes with the published files, unless a person edited it', async () => {
  const { at, context } = await usedHome()
  const dossier = (subject: string): Dossier => ({
    ...{ kind: 'topic', subject, title: subject, agentId: 'main', trust: 'owner', newest: NOON },
    sections: [{ title: 'Said', sentences: [{ text: 'It is so.', cites: [{ message: 'm', id: 'm' }] }] }],
  })
  const [plain, edited] = ['plums', 'pears'].map((subject) =>
    at('workspace', writeDossier(at('workspace'), subject, dossier(subject)).path),
  )
  mkdirSync(at('workspace', 'dossiers', 'mine'))
  appendFileSync(edited as string, '\nA word of mine.\n')
  const kept = paths((await uninstall(context, { purge: true, dryRun: true }))?.kept)
  expect(kept).toEqual(expect.arrayContaining([plain, edited]))
  await uninstall(context, { purge: true, artifacts: true })
  expect([existsSync(plain as string), existsSync(edited as string)]).toEqual([false, true])
})
