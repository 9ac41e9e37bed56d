// Groups events into episodes, a few per transaction, so that a test can kill it in between. Prints a line per transaction. Usage: node
// episodes-process.mjs DATABASE EVENTS_AT_ONCE
import { updateEpisodes } from '../../dist/episodes/update.js'
import { openSqlite } from '../../dist/store/sqlite/open.js'

const [path, eventsAtOnce] = process.argv.slice(2)
const clock = () => Date.now()
const store = await openSqlite({ path, clock })
const report = await updateEpisodes(store, {
  ...{ guard: async () => {}, clock, eventsAtOnce: Number(eventsAtOnce) },
  onProgress: () => process.stdout.write('.\n'),
})
await store.close()
process.stdout.write(JSON.stringify(report))
