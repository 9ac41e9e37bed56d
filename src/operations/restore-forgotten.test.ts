import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { testHome } from '../../test/helpers/home.ts'
import { spokenHome } from '../../test/helpers/spoken-home.ts'
import { TOMBSTONE_FILE } from '../config/paths.ts'
import { recordHash } from '../tombstones/write-tombstones.ts'

async function backedUp() {
  const home = spokenHome()
  const mnemonic = await home.spoken()
  await home.say(mnemonic, 'lantern', ['Who trims the wick of the lantern at the pier?', 'The keeper does.'])
  const file = join(home.root, 'kept.db')
  await mnemonic.safekeeping.backup(file)
  return { home, mnemonic, file }
}

const sessions = async (mnemonic: { sql(query: string): Promise<{ rows: readonly (readonly unknown[])[] }> }) =>
  (await mnemonic.sql('select id from agent_sessions order by id')).rows.flat()

it('the tombstones of the database are taken over, also when the file of the workspace is lost', async () => {
  const { home, mnemonic } = await backedUp()
  await mnemonic.forget({ session: 'jsonl:harbor' })
  rmSync(join(home.root, 'workspace', TOMBSTONE_FILE))
  // Another home's backup stands for one on another disk, which forgetting does not clean.
  const older = await backedUp()
  expect(await mnemonic.safekeeping.restore(older.file)).toMatchObject({ sessions: 2 })
  expect(await sessions(mnemonic)).toEqual(['jsonl:lantern', 'jsonl:orchard'])
  await home.say(mnemonic, 'harbor', ['Which port does the harbor service use, by the way?', 'It listens on 7443.'])
  expect(await sessions(mnemonic)).toEqual(['jsonl:lantern', 'jsonl:orchard'])
})

it('a conversation that loses a message by it is grouped, found and read for decisions at once', async () => {
  const mail = (id: string, from: string, to: string, text: string) =>
    [
      ...[
        'From 1@xxx Tue Feb 03 09:00:00 +0000 2026',
        'X-GM-THRID: 77',
        `Message-ID: <${id}@example.com>`,
        'Date: Tue, 3 Feb 2026 09:00:00 +0000',
      ],
      ...[`From: ${from}`, `To: ${to}`, 'Subject: the launch', '', text, '', ''],
    ].join('\r\n')
  const box =
    mail('a', 'sarah@example.org', 'me@example.com', 'The quokka waits at the gate.') +
    mail('b', 'me@example.com', 'sarah@example.org', 'We decided to use the blue harbour plan for the launch.')
  const read = async () => {
    const home = testHome()
    const path = join(home.root, 'box.mbox')
    writeFileSync(path, box)
    const mnemonic = await home.open({ config: { owner: { emails: ['me@example.com'] } } })
    await mnemonic.sync({ embed: false, path })
    return { home, mnemonic }
  }
  const state = async ({ mnemonic }: Awaited<ReturnType<typeof read>>) => ({
    episodes: (await mnemonic.sql('select event_count from episodes')).rows,
    derived: (await mnemonic.sql("select content from events where source_adapter = 'derived'")).rows,
    found: (await mnemonic.search({ query: 'blue harbour plan', filters: { ledger: 'events' } })).results.length,
    waiting: (await mnemonic.sql('select count(*) from episode_waiting')).rows,
  })
  const here = await read()
  await here.mnemonic.forget({ match: 'quokka' })
  const forgotten = await state(here)
  expect(forgotten).toMatchObject({ episodes: [[1]], found: 1 })
  expect(forgotten.derived).toHaveLength(1)
  const elsewhere = await read()
  const file = join(elsewhere.home.root, 'kept.db')
  await elsewhere.mnemonic.safekeeping.backup(file)
  expect(await here.mnemonic.safekeeping.restore(file)).toMatchObject({ forgotten: expect.any(Number) })
  expect(await state(here)).toEqual(forgotten)
})

it('what is forgotten while the backup is made ready is noticed, and taken over as well', async () => {
  const { home, mnemonic } = await backedUp()
  const older = await backedUp()
  await mnemonic.forget({ session: 'jsonl:harbor' })
  await mnemonic.close()

  /** Forgets after the tombstones were read, before the swap. */
  let interfered = 0
  function interfere(): void {
    const staged = readdirSync(join(home.root, 'home')).find((name) => /\.restoring-\d+$/.test(name))
    if (interfered > 0 || staged === undefined) return
    const copy = new Database(join(home.root, 'home', staged), { readonly: true })
    const taken = copy.prepare('select count(*) from tombstones').pluck().get() as number
    copy.close()
    if (taken === 0) return
    interfered += 1
    const live = new Database(home.database)
    const key = live.prepare("select value from meta where key = 'tombstone_key'").pluck().get() as string
    live
      .prepare(
        "insert into tombstones (id, agent_id, kind, record_hash, removed_at, reason, removed_paths) values ('late', 'main', 'session', ?, 1, 'owner', '[]')",
      )
      .run(recordHash(key, 'session', 'jsonl:lantern'))
    live.exec("update meta set value = cast(value as integer) + 1 where key = 'tombstone_revision'")
    live.close()
  }
  const clock = () => {
    interfere()
    return Date.now()
  }
  const again = await home.open({ clock })
  await again.safekeeping.restore(older.file)
  expect(interfered).toBe(1)
  expect(await sessions(again)).toEqual(['jsonl:orchard'])
  expect((await again.sql("select count(*) from tombstones where id = 'late'")).rows).toEqual([[1]])
})
