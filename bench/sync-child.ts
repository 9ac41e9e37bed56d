/** A sync in its own process, for its own peak memory. Prints JSON. */
import { openMnemonic } from 'agent-mnemonic'

const [home, path, adapter = 'claude-code'] = process.argv.slice(2) as [string, string, string?]
const mnemonic = await openMnemonic({ home, workspace: `${home}-workspace` })
const started = performance.now()
const { totals } = await mnemonic.sync({ path, embed: false, adapters: [adapter] })
const ms = performance.now() - started
await mnemonic.close()
console.log(JSON.stringify({ ms, totals, maxRss: process.resourceUsage().maxRSS * 1024 }))
