// Groups what waits in a database into episodes, a few events in each transaction, so that a test can kill it between them. Prints a line a transaction.
// Usage: node episodes-process.mjs DATABASE EVENTS_AT_ONCE
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
