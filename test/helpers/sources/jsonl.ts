import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { jsonl } from '../../../src/ingest/capture/jsonl.ts'
import type { SampleSource } from '../sample-source.ts'

export const jsonlSource: SampleSource = {
  name: 'jsonl',
  kind: 'lines',
  noTools: true,
  adapter: (folder) => jsonl({ paths: [folder] }),
  write(folder, session, exchanges) {
    mkdirSync(folder, { recursive: true })
    const path = join(folder, `${session}.jsonl`)
    const lines = exchanges.flatMap(({ prompt, answer, at }, n) => [
      { id: `${session}-${n}-q`, session_id: session, role: 'user', content: prompt, timestamp: new Date(at).toISOString() },
      { id: `${session}-${n}-a`, session_id: session, role: 'assistant', content: answer, timestamp: new Date(at + 3000).toISOString() },
    ])
    writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    return path
  },
}
