import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ANALYSIS_MARK } from '../../src/core/analysis-session.ts'
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

  it('nothing after a private tag that is never closed enters the database, and the sync says so', async () => {
    const [store, root] = [await tempStore(), tempFolder()]
    const unclosed = `${OPEN_TEXT} <private>the word is ${SECRET}`
    const tool = { name: 'look', params: { at: unclosed }, result: unclosed }
    source.write(root, 'unclosed-session', [{ ...exchange, prompt: unclosed, answer: unclosed, tool }])
    const options = { clock: () => NOON, quietMs: 7_200_000, guard: async () => {}, afterGroup: async () => {} }
    const { totals } = await syncSources({ store, adapters: [source.adapter(root)], ignore: () => false, ...options })
    expect(bytes(store)).toContain(OPEN_TEXT)
    expect(bytes(store)).not.toContain(SECRET)
    expect(totals.warnings.join('\n')).toMatch(/records? with <private> and no <\/private>/)
  })

  it('a private tag that is never closed in a tool call alone is said too', async () => {
    const [store, root] = [await tempStore(), tempFolder()]
    const tool = { name: 'look', params: { at: { text: `<private>the word is ${SECRET}` } }, result: 'kept' }
    source.write(root, 'unclosed-call', [{ ...exchange, prompt: OPEN_TEXT, answer: OPEN_TEXT, tool }])
    const options = { clock: () => NOON, quietMs: 7_200_000, guard: async () => {}, afterGroup: async () => {} }
    const { totals } = await syncSources({ store, adapters: [source.adapter(root)], ignore: () => false, ...options })
    expect(bytes(store)).not.toContain(SECRET)
    const calls = await store.read.selectFrom('agent_tool_calls').select('params_json').execute()
    const isCut = calls.some(({ params_json }) => params_json?.includes('<private>') || params_json?.includes('cut here'))
    if (isCut) expect(totals.warnings.join('\n')).toMatch(/1 record with <private> and no <\/private>/)
  })

  it('a private tag that inline code mentions is text', async () => {
    const [store, root] = [await tempStore(), tempFolder()]
    source.write(root, 'mentioned-session', [{ ...exchange, prompt: `The tag \`<private>\` hides the ${SECRET}` }])
    const options = { clock: () => NOON, quietMs: 7_200_000, guard: async () => {}, afterGroup: async () => {} }
    const { totals } = await syncSources({ store, adapters: [source.adapter(root)], ignore: () => false, ...options })
    expect(bytes(store)).toContain(SECRET)
    expect(totals.warnings.join('\n')).not.toContain('<private>')
  })

  it('nothing of an analysis that Mnemonic had a harness make enters the database, nor its answer', async () => {
    const [store, root] = [await tempStore(), tempFolder()]
    source.write(root, 'own-analysis', [{ ...exchange, prompt: `${ANALYSIS_MARK}\n\nRead this: ${OPEN_TEXT}` }])
    const options = { clock: () => NOON, quietMs: 7_200_000, guard: async () => {}, afterGroup: async () => {} }
    await syncSources({ store, adapters: [source.adapter(root)], ignore: () => false, ...options })
    expect(bytes(store)).not.toContain(OPEN_TEXT)
    expect(await store.read.selectFrom('agent_messages').select('id').execute()).toEqual([])
    expect(await store.read.selectFrom('agent_sessions').select('id').execute()).toEqual([])
  })

  it('nor of a session in the folder of one, whatever it begins with', async () => {
    if (source.kind === 'database') return
    const [root, options] = [tempFolder(), { clock: () => NOON, quietMs: 7_200_000, guard: async () => {}, afterGroup: async () => {} }]
    const path = source.write(root, 'own-analysis', [exchange])
    const folders = new Set<string>()
    const note = (folder: string) => folders.add(folder) === undefined
    await syncSources({ store: await tempStore(), adapters: [source.adapter(root)], ignore: note, ...options })
    const named = [...folders].filter((folder) => readFileSync(path, 'utf8').includes(JSON.stringify(folder)))
    if (named.length === 0) return expect(['chatgpt', 'claude-ai', 'jsonl', 'gemini-cli', 'nexus', 'cursor']).toContain(source.name)
    let text = readFileSync(path, 'utf8')
    for (const folder of named) text = text.replaceAll(JSON.stringify(folder), JSON.stringify('/tmp/mnemonic-analysis-a1B2c3'))
    writeFileSync(path, text)
    const store = await tempStore()
    await syncSources({ store, adapters: [source.adapter(root)], ignore: () => false, ...options })
    expect(bytes(store)).not.toContain(OPEN_TEXT)
  })

  it('nothing of a project that is kept out enters the database', async () => {
    const { store, asked } = await imported(() => true)
    if (asked.length === 0) return expect(['chatgpt', 'claude-ai', 'jsonl', 'gemini-cli', 'nexus', 'cursor']).toContain(source.name) // names no project
    expect(bytes(store)).not.toContain(OPEN_TEXT)
  })
})
