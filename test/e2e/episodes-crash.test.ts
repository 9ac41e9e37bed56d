/** A real process that is killed while it groups: the next one goes on to the episodes of an undisturbed run. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { updateEpisodes } from '../../src/episodes/update.ts'
import { openSqlite } from '../../src/store/sqlite/open.ts'
import { canonicalDump } from '../helpers/canonical-dump.ts'
import { putEvent, putThreads } from '../helpers/episode-ledger.ts'
import { random } from '../helpers/generate-claude.ts'
import { NOON, tempFolder } from '../helpers/store.ts'

const PROCESS = fileURLToPath(new URL('../helpers/episodes-process.mjs', import.meta.url))
const CHANNELS = ['imessage', 'gmail', 'calendar']

/** Kills it after so many transactions. True when it came before the end. */
async function killed(path: string, after: number): Promise<boolean> {
  const child = spawn(process.execPath, [PROCESS, path, '5'], { stdio: ['ignore', 'pipe', 'inherit'] })
  let seen = 0
  child.stdout.on('data', (text: Buffer) => {
    seen += text.toString().split('.').length - 1
    if (seen >= after) child.kill('SIGKILL')
  })
  const [, signal] = (await once(child, 'close')) as [number | null, string | null]
  return signal === 'SIGKILL'
}

it('kill -9 between and within transactions loses nothing and makes nothing twice', { timeout: 120_000 }, async () => {
  const folder = tempFolder()
  const [calm, storm] = [join(folder, 'calm.db'), join(folder, 'storm.db')]
  const rand = random(11)
  const seeded = await openSqlite({ path: calm, clock: () => NOON })
  for (const channel of CHANNELS)
    await seeded.write(async (tx) => {
      const threads = Array.from({ length: 8 }, (_, n) => `${channel}:thread${n}`)
      await putThreads(tx, channel, threads)
      for (let n = 0; n < 200; n++)
        await putEvent(tx, channel, {
          ...{ id: `${channel}:${n}`, thread: threads[Math.floor(rand() * threads.length)] as string },
          ...{ time: NOON + Math.floor(rand() * 300) * 30 * 60_000, text: `text ${n}`, trust: 'contact' },
        })
    })
  await seeded.close()
  copyFileSync(calm, storm)
  const undisturbed = await openSqlite({ path: calm, clock: () => NOON })
  await updateEpisodes(undisturbed, { guard: async () => {}, clock: () => NOON })
  await undisturbed.close()
  let kills = 0
  for (let after = 1; after <= 4; after++) if (await killed(storm, after * 3)) kills += 1
  expect(kills).toBeGreaterThan(1)
  const last = await openSqlite({ path: storm, clock: () => NOON })
  expect(await last.read.selectFrom('episode_waiting').select('thread_id').execute()).not.toEqual([])
  await updateEpisodes(last, { guard: async () => {}, clock: () => NOON })
  await last.close()
  const expected = canonicalDump(calm)
  expect(expected.episodes?.rows).toBeGreaterThan(300)
  expect(canonicalDump(storm)).toEqual(expected)
})
