/**
 * The questions for `mnemonic search --batch -`:
 * node bench/coding/ask.js [--phrasings] | mnemonic search --batch - --json > answers.jsonl
 * `--phrasings` adds phrasings by an agent that saw no session.
 */
import { readFileSync } from 'node:fs'

/** Enough for ten hits and for 2,000 tokens. */
const HITS = 40
const phrased = process.argv.includes('--phrasings')
for (const { id, question, phrasings } of JSON.parse(readFileSync(new URL('./questions.json', import.meta.url), 'utf8'))) {
  console.log(JSON.stringify({ id, query: question, ...(phrased ? { queries: phrasings } : {}), limit: HITS }))
}
