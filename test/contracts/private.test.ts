import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { syncSources } from '../../src/ingest/sync.ts'
import type { Store } from '../../src/store/store.ts'
import { SAMPLE_SOURCES } from '../helpers/sources/all.ts'
import { NOON, tempFolder, tempStore } from '../helpers/store.ts'

const SECRET = 'heliotropic-marmalade'
const MEMORY = 'injected-cartwheel'
const HIDDEN = `<private>the word is ${SECRET}</private><mnemonic-memory v="1">${MEMORY}</mnemonic-memory>`
const OPEN_TEXT = 'lighthouse'

const exchange = {
  prompt: `What of the ${OPEN_TEXT}? ${HIDDEN}`,
  answer: `The ${OPEN_TEXT} stands. ${HIDDEN}`,
  at: NOON - 86_400_000,
  tool: { name: 'look', params: { at: `${OPEN_TEXT} ${HIDDEN}` }, result: `${OPEN_TEXT} ${HIDDEN}` },
}

/** Every byte of the database and of what is beside it. */
function bytes(store: Store): string {
  const folder = dirname(store.location)
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'latin1'))
    .join('\n')
}

describe.each(SAMPLE_SOURCES.map((source) => ({ source, name: `${source.name} (${source.kind})` })))('$name', ({ source }) => {
  async function imported(ignore: (project: string) => boolean): Promise<{ store: Store; asked: string[] }> {
    const [store, root] = [await tempStore(), tempFolder()]
    source.write(root, 'private-session', [exchange])
    const asked: string[] = []
    const judge = (project: string) => {
      asked.push(project)
      return ignore(project)
    }
    const options = { clock: () => NOON, quietMs: 7_200_000, guard: async () => {}, afterGroup: async () => {} }
    const { totals } = await syncSources({ store, adapters: [source.adapter(root)], ignore: judge, ...options })
    expect(totals).toMatchObject({ found: 1, imported: 1, quarantined: 0 })
    return { store, asked }
  }

  it('nothing private and nothing that we injected enters the database', async () => {
    const { store } = await imported(() => false)
    const found = bytes(store)
    expect(found).toContain(OPEN_TEXT)
    expect(found).not.toContain(SECRET)
    expect(found).not.toContain(MEMORY)
  })

  it('nothing of a project that is kept out enters the database', async () => {
    const { store, asked } = await imported(() => true)
    if (asked.length === 0) return expect(['chatgpt', 'claude-ai', 'jsonl', 'gemini-cli', 'nexus', 'cursor']).toContain(source.name) // names no project
    expect(bytes(store)).not.toContain(OPEN_TEXT)
  })
})
