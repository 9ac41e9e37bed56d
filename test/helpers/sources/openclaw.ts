/** pi's format in an agent's folder. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openclaw } from '../../../src/ingest/capture/openclaw.ts'
import type { SampleSource } from '../sample-source.ts'
import { piLines, uuidOf } from './pi.ts'

export const openclawSource: SampleSource = {
  name: 'openclaw',
  kind: 'lines',
  adapter: (root) => openclaw({ paths: [join(root, 'agents')] }),
  write(root, session, exchanges) {
    const id = uuidOf(session)
    const folder = join(root, 'agents', 'main', 'sessions')
    mkdirSync(folder, { recursive: true })
    const path = join(folder, `${id}.jsonl`)
    writeFileSync(path, piLines(id, exchanges, '/home/ada/.openclaw/workspace'))
    return path
  },
}
