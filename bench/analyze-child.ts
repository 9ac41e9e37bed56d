/** Syncs without analyses, then runs them as `mnemonic analyze`, in one call or one by one. Prints processor time by part as JSON. */
import { openMnemonic } from 'agent-mnemonic'

/** In order; time after the graph counts for the part that wrote it. */
const TYPES = ['turn_labels', 'topics', 'decisions', 'entity_extraction', 'memory_extraction', 'session_summary', 'memory_sentence_v1']

const [home, logs, how] = process.argv.slice(2) as [string, string, 'together' | 'apart']
const owner = { name: 'Bench Owner', timezone: 'UTC' }
const mnemonic = await openMnemonic({ home, workspace: `${home}-workspace`, config: { owner } })
await mnemonic.sync({ path: logs, embed: false, adapters: ['jsonl', 'aix-events'] })
const parts: { type: string; completed: number; failed: number; seconds: number }[] = []
for (const types of how === 'together' ? [TYPES] : TYPES.map((type) => [type])) {
  const before = process.cpuUsage()
  const { totals } = await mnemonic.analyze({ types })
  const { user, system } = process.cpuUsage(before)
  parts.push({
    type: types.length === 1 ? String(types[0]) : 'all in one call',
    completed: totals.completed,
    failed: totals.failed,
    seconds: (user + system) / 1e6,
  })
}
await mnemonic.close()
console.log(JSON.stringify({ parts, maxRss: process.resourceUsage().maxRSS * 1024 }))
