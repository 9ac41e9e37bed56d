import { mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { type SpokenHome, spokenHome } from '../../test/helpers/spoken-home.ts'
import { NOON } from '../../test/helpers/store.ts'
import { applyTombstones } from '../forget/remove/apply-tombstones.ts'
import { openSqlite } from '../store/sqlite/open.ts'
import { mergeTombstoneFile } from '../tombstones/settled.ts'
import { addTombstones, type Forgotten } from '../tombstones/write-tombstones.ts'

const HARBOR = ['Which port does the harbor service use, by the way?', 'It listens on 7443.']
const ORCHARD = ['Plant the pear trees behind the northern wall.', 'Noted: pears, northern wall.']

const leftovers = (home: SpokenHome) => readdirSync(join(home.root, 'home')).filter((name) => /restoring|partial/.test(name))

async function forget(home: SpokenHome, forgotten: Forgotten, workspace = join(home.root, 'workspace')): Promise<void> {
  const store = await openSqlite({ path: home.database, clock: () => NOON })
  await store.write((tx) => addTombstones(tx, [forgotten], { removedAt: NOON, reason: 'test' }))
  await applyTombstones({ store, guard: async () => undefined, clock: () => NOON, quietMs: 0 })
  await mergeTombstoneFile(store, workspace, NOON)
  await store.close()
}

async function backedUp() {
  const home = spokenHome()
  const mnemonic = await home.spoken()
  const file = join(home.root, 'kept.db')
  await mnemonic.safekeeping.backup(file)
  return { home, mnemonic, file }
}

it('a restore brings back what was there, for those who have the database open too, and keeps what it replaced', async () => {
  const { home, mnemonic, file } = await backedUp()
  const neighbour = await home.open()
  await home.say(mnemonic, 'later', ['This came after the backup was made.', 'Indeed.'])
  expect(await home.said(neighbour)).toHaveLength(6)
  const report = await mnemonic.safekeeping.restore(file)
  expect(report).toMatchObject({ path: file, sessions: 2, messages: 4, forgotten: 0 })
  expect(await home.said(neighbour)).toEqual([...HARBOR, ...ORCHARD])
  const kept = new Database(String(report?.kept), { readonly: true })
  expect(kept.prepare('select count(*) from agent_messages').pluck().get()).toBe(6)
  kept.close()
  expect(leftovers(home)).toEqual([])
  await home.say(neighbour, 'later', ['This came after the backup was made.', 'Indeed.'])
  expect(await home.said(mnemonic)).toHaveLength(6)
  expect((await mnemonic.search({ query: 'after the backup' })).results).not.toEqual([])
})

it('what was forgotten since the backup does not come back, and all else does', async () => {
  const { home, mnemonic, file } = await backedUp()
  await forget(home, { kind: 'message', agentId: 'main', id: 'jsonl:orchard/orchard-0', text: ORCHARD[0] as string })
  expect(await home.said(mnemonic)).toEqual([...HARBOR, ORCHARD[1]])
  const report = await mnemonic.safekeeping.restore(file)
  expect(report?.forgotten).toBeGreaterThan(0)
  expect(await home.said(mnemonic)).toEqual([...HARBOR, ORCHARD[1]])
  const hits = async (query: string) => (await mnemonic.search({ query })).results.map(({ content }) => content)
  expect((await hits('pear trees northern wall')).join()).not.toContain('behind')
  expect((await hits('pears northern wall')).join()).toContain('Noted')
  await mnemonic.close()
  for (const end of ['', '-wal']) {
    const bytes = readdirSync(join(home.root, 'home')).includes(`mnemonic.db${end}`) ? readFileSync(home.database + end) : Buffer.alloc(0)
    expect(bytes.includes('behind the northern')).toBe(false)
  }
})

it('tombstones of both sides hold, also when each was made with a key of its own', async () => {
  const { home, mnemonic, file } = await backedUp()
  const other = spokenHome()
  const theirs = await other.spoken()
  await forget(other, { kind: 'session', agentId: 'main', id: 'jsonl:orchard' })
  const foreign = join(other.root, 'foreign.db')
  await theirs.safekeeping.backup(foreign)
  await forget(home, { kind: 'session', agentId: 'main', id: 'jsonl:harbor' })
  await mnemonic.safekeeping.restore(foreign)
  expect(await home.said(mnemonic)).toEqual([])
  // Neither the sources nor the older backup bring it back.
  await home.say(mnemonic, 'orchard', ORCHARD)
  await home.say(mnemonic, 'harbor', HARBOR)
  expect(await home.said(mnemonic)).toEqual([])
  await mnemonic.safekeeping.restore(file)
  expect(await home.said(mnemonic)).toEqual([])
})

it('without a database the tombstones of the workspace are enough', async () => {
  const { home, mnemonic, file } = await backedUp()
  await forget(home, { kind: 'session', agentId: 'main', id: 'jsonl:harbor' })
  await mnemonic.close()
  rmSync(join(home.root, 'home'), { recursive: true })
  const again = await home.open()
  expect(await again.safekeeping.restore(file)).toMatchObject({ kept: null, sessions: 1, messages: 2 })
  expect(await home.said(again)).toEqual(ORCHARD)
})

it('a damaged database is kept aside as it is, and replaced', async () => {
  const { home, mnemonic, file } = await backedUp()
  await mnemonic.close()
  writeSync(openSync(home.database, 'r+'), Buffer.alloc(8192, 0x5a), 0, 8192, 4096)
  const damaged = readFileSync(home.database)
  const again = await home.open()
  const report = await again.safekeeping.restore(file)
  expect(readFileSync(String(report?.kept)).equals(damaged)).toBe(true)
  expect(await home.said(again)).toEqual([...HARBOR, ...ORCHARD])
})

it('a file that is no sound backup is refused, and nothing is changed', async () => {
  const { home, mnemonic, file } = await backedUp()
  const besides = () => readdirSync(join(home.root, 'home'), { recursive: true }).filter((name) => !String(name).startsWith('mnemonic.db'))
  const before = besides()
  const bad = (name: string, write: (path: string) => void) => {
    const path = join(home.root, name)
    write(path)
    return path
  }
  const truncated = bad('truncated.db', (path) => writeFileSync(path, readFileSync(file).subarray(0, 200_000)))
  const text = bad('text.db', (path) => writeFileSync(path, 'no database at all, only words'))
  const folder = bad('folder', (path) => mkdirSync(path))
  const other = bad('other.db', (path) => new Database(path).exec('create table notes (body)').close())
  const newer = bad('newer.db', (path) => {
    writeFileSync(path, readFileSync(file))
    new Database(path).exec("insert into schema_migrations (name, applied_at) values ('999_later.sql', 1)").close()
  })
  for (const path of [truncated, text, folder, other]) {
    await expect(mnemonic.safekeeping.restore(path), path).rejects.toMatchObject({ code: 'NOT_A_DATABASE' })
  }
  await expect(mnemonic.safekeeping.restore(newer)).rejects.toMatchObject({ code: 'DATABASE_NEWER' })
  await expect(mnemonic.safekeeping.restore(join(home.root, 'none.db'))).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(mnemonic.safekeeping.restore(home.database)).rejects.toMatchObject({ code: 'USAGE' })
  expect(await home.said(mnemonic)).toHaveLength(4)
  expect(besides()).toEqual(before)
  expect(leftovers(home)).toEqual([])
})

it('answering no changes nothing', async () => {
  const { home, mnemonic, file } = await backedUp()
  await home.say(mnemonic, 'later', ['This came after the backup was made.', 'Indeed.'])
  const plans: unknown[] = []
  const confirm = async (plan: unknown) => {
    plans.push(plan)
    return false
  }
  expect(await mnemonic.safekeeping.restore(file, { confirm })).toBeUndefined()
  expect(plans).toMatchObject([{ path: file, backup: { messages: 4 }, current: { messages: 6 } }])
  expect(await home.said(mnemonic)).toHaveLength(6)
  expect(readdirSync(join(home.root, 'home')).filter((name) => /restor/.test(name))).toEqual([])
})

it('a restore that is stopped leaves the database as it was, and no copy of anything', async () => {
  const { home, mnemonic, file } = await backedUp()
  await home.say(mnemonic, 'later', ['This came after the backup was made.', 'Indeed.'])
  const stop = new AbortController()
  let copies = 0
  // Copies the backup, the database, then the replacement.
  const onProgress = ({ stage, done }: { stage: string; done?: number }) => {
    if (stage === 'copy' && done === 0) copies += 1
    if (copies === 3) stop.abort(new Error('enough'))
  }
  await expect(mnemonic.safekeeping.restore(file, { onProgress, signal: stop.signal })).rejects.toThrow('enough')
  expect(copies).toBe(3)
  expect(await home.said(mnemonic)).toHaveLength(6)
  expect(readdirSync(join(home.root, 'home')).filter((name) => /restor|partial/.test(name))).toEqual([])
  await home.say(mnemonic, 'third', ['Is anybody still holding the lease of the writer?', 'Nobody is.'])
})

it('while another process works on the database nothing is restored', async () => {
  const { home, mnemonic, file } = await backedUp()
  const db = new Database(home.database)
  db.prepare("insert into leases (name, owner, pid, host, acquired_at, expires_at) values ('some-job', 'x/', ?, 'another-host', ?, ?)").run(
    1,
    Date.now(),
    Date.now() + 60_000,
  )
  await expect(mnemonic.safekeeping.restore(file)).rejects.toMatchObject({ code: 'JOB_RUNNING', details: { lease: 'some-job' } })
  db.exec('delete from leases')
  db.close()
  await home.say(mnemonic, 'later', ['This came after the backup was made.', 'Indeed.'])
  await mnemonic.safekeeping.restore(file)
  expect(await home.said(mnemonic)).toHaveLength(4)
  // Its leases are gone too.
  await home.say(mnemonic, 'third', ['Is anybody still holding the lease of the writer?', 'Nobody is.'])
})
