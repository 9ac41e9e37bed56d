import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runAdapter } from '../../test/helpers/run-adapters.ts'
import { exchange, replaceTurn, seedSession } from '../../test/helpers/seed-ledger.ts'
import { NOON, tempFolder, tempStore } from '../../test/helpers/store.ts'
import { given } from '../core/given.ts'
import { tokenCost } from '../core/tokens.ts'
import { indexer } from '../index/indexer.ts'
import { documentRoots } from '../ingest/documents/document-roots.ts'
import { documents as documentSource } from '../ingest/documents/documents.ts'
import { memoryGet } from './memory-get.ts'
import { memorySearch } from './memory-search.ts'
import { searcher } from './search.ts'
import { sessionSearch } from './session-search.ts'
import { soughtBy } from './sought.ts'

const OWNER = { name: 'Jason Wu', timezone: 'UTC' }

async function memory(agentId = 'main') {
  const store = await tempStore()
  const root = tempFolder()
  const clock = () => NOON
  const index = indexer({ store, clock, owner: OWNER })
  const written = documentSource({ roots: documentRoots(root, []), exclude: [], ignore: () => false })
  const source = {
    store,
    buildDocument: index.buildDocument,
    buildEpisode: async () => undefined,
    openPublished: async () => undefined,
    agentId,
  }
  const made = searcher({ store, clock, owner: OWNER, agentId })
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const sync = async () => {
    await runAdapter(store, written)
    await index.tail()
  }
  await seedSession(store, {
    id: 's1',
    title: 'Retries, key AKIAIOSFODNN7EXAMPLE',
    project: '/home/jason/lantern',
    turns: [exchange('How do we retry webhooks?', 'Three times.\nWith jitter.'), exchange('And then?', 'We decided to give up.')],
  })
  await seedSession(store, { id: 's2', agentId: 'other', turns: [exchange('Retry webhooks elsewhere?', 'No.')] })
  write('workspaces/lantern/plan.md', '# Plan\n\nNothing yet.\n\n## Webhooks\n\nRetry webhooks four times.\nPassword: hunter2hunter2\n')
  await sync()
  return { store, source, index, write, sync, root, search: made.search }
}

describe('memory_get', () => {
  it('gives of lines that are too long the sentences that answer the question they are a hit of, and says where the rest is', async () => {
    const { store, source, sync } = await memory()
    const filler = (about: string) => Array.from({ length: 40 }, (_, i) => `Paragraph ${i} speaks of ${about} and little else.`).join('\n')
    const said = `${filler('rivers')}\nThe gauge drifts because its valve leaks.\n${filler('hills')}`
    await seedSession(store, { id: 's3', turns: [exchange('Look at the gauge.', said)] })
    await sync()
    const seek = (about: readonly string[]) => soughtBy(about, { store, owner: OWNER })
    const asked = { id: 'claude-code:s3/m1', budget: 60 }
    expect((await memoryGet(source, asked, seek)).text).not.toContain('valve')
    const { text, from, next_from, lines, total_lines } = await memoryGet(source, { ...asked, about: ['why does the gauge drift'] }, seek)
    expect(text).toContain('The gauge drifts because its valve leaks.')
    expect(tokenCost(text)).toBeLessThan(70)
    expect({ next: next_from, last: from + lines - 1 }).toEqual({ next: from, last: total_lines })
    // With `from` it returns plain lines.
    const on = await memoryGet(source, { ...asked, from: next_from ?? 0, about: ['why does the gauge drift'] }, seek)
    expect(on.text).toContain('Look at the gauge.')
    // Skips what the reader has seen.
    const shown = 'Assistant: The gauge drifts because its valve leaks.'
    const more = await memoryGet(source, { ...asked, about: ['why does the gauge drift'], shown }, seek)
    expect(more.text).not.toContain('valve')
    expect(more.text).toContain('Look at the gauge.')
    const whole = await memoryGet(source, { ...asked, budget: 10_000, about: ['why does the gauge drift'], shown }, seek)
    expect(whole.text).toContain('valve')
  })

  it('a wikilink to a heading gives the part under it; one that is gone the document', async () => {
    const { source } = await memory()
    const path = 'workspaces/lantern/plan.md'
    expect(await memoryGet(source, { path: `[[${path}#Webhooks]]` })).toMatchObject({
      from: 5,
      text: expect.stringMatching(/^## Webhooks\n\nRetry/),
    })
    expect(await memoryGet(source, { path: `[[${path}#Gone]]` })).toMatchObject({ from: 1, text: expect.stringMatching(/^# Plan/) })
  })

  it('gives the text that the index was made of, whole and in pages', async () => {
    const { source, index } = await memory()
    const whole = await memoryGet(source, { id: 'claude-code:s1/m1' })
    const document = await index.buildDocument(whole.turn_id)
    expect(whole.text).toBe(document?.text)
    expect(whole).toMatchObject({
      path: document?.path,
      from: 1,
      lines: 8,
      total_lines: 8,
      next_from: null,
      source: 'sessions',
      kind: 'turn',
    })
    expect(whole.title).toMatch(/^Retries, key \[REDACTED:/)
    let pages = ''
    for (let from: number | null = 1; from !== null; ) {
      const page: Awaited<ReturnType<typeof memoryGet>> = await memoryGet(source, { path: whole.path, from, lines: 3 })
      pages += page.text
      from = page.next_from
    }
    expect(pages).toBe(whole.text)
  })

  it('reads both ways, and the end; blank lines alone are not offered', async () => {
    const { source, write, sync } = await memory()
    const path = 'workspaces/lantern/list.md'
    write(path, 'one\ntwo\n\nthree\nfour\n\n\n')
    await sync()
    const part = async (asked: object) => {
      const { text, next_from, before_to } = await memoryGet(source, { path, ...asked })
      return [text, before_to, next_from]
    }
    expect(await part({ to: 4, lines: 2 })).toEqual(['\nthree\n', 2, 5])
    expect(await part({ from: 2, to: 4 })).toEqual(['two\n\nthree\n', 1, 5])
    expect(await part({ from: 4, lines: 2 })).toEqual(['three\nfour\n', 3, null])
    expect(await part({ tail: 4 })).toEqual(['three\nfour\n\n\n', 3, null])
    expect(await part({ tail: 4, budget: 2 })).toEqual([expect.not.stringContaining('three'), 5, null])
    expect(await part({ at: 2 })).toEqual([expect.stringMatching(/^one/), null, null])
  })

  it('takes a citation, and from and lines win over it', async () => {
    const { source } = await memory()
    const path = 'workspaces/lantern/plan.md'
    expect(await memoryGet(source, { path: `${path}#L5-L7` })).toMatchObject({
      text: '## Webhooks\n\nRetry webhooks four times.\n',
      from: 5,
      lines: 3,
    })
    expect(await memoryGet(source, { path: `${path}#L1` })).toMatchObject({ text: '# Plan\n', next_from: 2, citation: `${path}#L1` })
    expect(await memoryGet(source, { path: `${path}#L5-L7`, from: 3, lines: 1 })).toMatchObject({ text: 'Nothing yet.\n' })
    expect(await memoryGet(source, { path, from: 100 })).toMatchObject({ text: '', lines: 0, total_lines: 8, next_from: null })
    expect((await memoryGet(source, { path })).text).not.toContain('hunter2')
  })

  it('an old citation of a turn that grew leads to the turn that holds it now', async () => {
    const { store, source, sync } = await memory()
    const old = await memoryGet(source, { id: 'claude-code:s1/m1' })
    const messages = [
      { id: 'm0', role: 'user', text: 'How do we retry webhooks?' },
      { id: 'm1', role: 'assistant', text: 'Three times.' },
      { id: 'm9', role: 'assistant', text: 'And one more.' },
    ] as const
    await replaceTurn(store, old.turn_id, { id: 'm9', messages: [...messages] })
    await sync()
    const now = await memoryGet(source, { path: old.path })
    expect(now.turn_id).toBe('claude-code:s1/m9')
    expect(now.text).toContain('And one more.')
  })

  it('knows nothing outside the index and nothing of another persona', async () => {
    const { source, write, root } = await memory()
    write('new.md', 'not indexed yet')
    const paths = [
      '../x.md',
      '/etc/passwd',
      join(root, 'workspaces/lantern/plan.md'),
      'new.md',
      'sessions/s1/turns/claude-code:s1.md',
      'nope',
      'x#L3',
    ]
    for (const path of [...paths, 'sessions/x/turns/claude-code:s2/m1.md'])
      await expect(memoryGet(source, { path }), path).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(memoryGet(source, { id: 'claude-code:s2/m1' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await memoryGet({ ...source, agentId: 'all' }, { id: 'claude-code:s2/m1' })).toMatchObject({ session_id: 'claude-code:s2' })
  })

  it.each([
    {},
    { path: 'a', id: 'b' },
    { path: '' },
    { path: 'a', from: 0 },
    { path: 'a', lines: 1.5 },
    { path: 'a', until: 3 },
    { path: 'a', tail: 3, from: 1 },
    { path: 'a', to: 0 },
  ])('refuses %j', async (request) => {
    const { source } = await memory()
    await expect(memoryGet(source, request)).rejects.toMatchObject({ code: 'USAGE' })
  })
})

describe('memory_search', () => {
  it('finds sessions and documents, each with the lines that memory_get gives back', async () => {
    const { source, search } = await memory()
    const { results, mode } = await memorySearch(search, source, { query: 'retry webhooks' })
    expect(mode).toEqual({ requested: expect.any(String), realized: expect.any(String) })
    expect(results.map((hit) => hit.source).sort()).toEqual(['memory', 'sessions'])
    for (const hit of results) {
      const cited = await memoryGet(source, { path: hit.citation })
      expect(cited).toMatchObject({ from: hit.start_line, lines: hit.end_line - hit.start_line + 1 })
      expect(cited.text.toLowerCase()).toContain('retry webhooks')
      expect(hit.snippet.toLowerCase()).toContain('retry webhooks')
      expect(hit.score).toBeGreaterThan(0)
    }
    const document = results.find((hit) => hit.source === 'memory')
    expect(document).toMatchObject({
      path: 'workspaces/lantern/plan.md',
      session_id: '',
      turn_id: '',
      start_line: 1,
      end_line: 8,
      trust: 'owner',
    })
    expect(document?.snippet).not.toContain('hunter2')
  })

  it('the call’s sources narrow it; none given means all', async () => {
    const { source, search } = await memory()
    const found = async (sources?: string[]) =>
      (await memorySearch(search, source, { query: 'retry webhooks', ...given({ sources }) })).results.map((hit) => hit.source)
    expect(await found(['memory'])).toEqual(['memory'])
    expect(await found(['sessions'])).toEqual(['sessions'])
    expect(await found(['claude-code'])).toEqual(['sessions'])
    expect(await found(['memory', 'sessions'])).toHaveLength(2)
    expect(await found([])).toHaveLength(2)
  })

  it('a source that nothing has is an error that says what there is; one that is only empty is not', async () => {
    const { source, search } = await memory()
    const ask = (sources: string[]) => memorySearch(search, source, { query: 'retry webhooks', sources })
    const refused = { code: 'USAGE', message: 'no source is called "session"', hint: 'There are: sessions, memory, events, claude-code.' }
    await expect(ask(['session'])).rejects.toMatchObject(refused)
    await expect(ask(['memory', 'session'])).rejects.toMatchObject(refused)
    await expect(ask(['a\nb', 'Sessions'])).rejects.toMatchObject({ message: 'no source is called "a b", "Sessions"' })
    for (const empty of ['codex', 'gmail', 'events']) expect((await ask([empty])).results).toEqual([])
  })

  it('a document is found as its owner’s words, and in no ledger and no project', async () => {
    const { source, search } = await memory()
    const found = async (filters: object) =>
      (await memorySearch(search, source, { query: 'webhooks four', sources: ['memory'], filters })).results.length
    expect(await found({ speaker: 'user' })).toBe(1)
    expect(await found({ speaker: 'Jason' })).toBe(1)
    expect(await found({ speaker: 'assistant' })).toBe(0)
    expect(await found({ ledger: 'agents' })).toBe(0)
    expect(await found({ project: 'lantern' })).toBe(0)
  })

  it('refuses what it does not know', async () => {
    const { source, search } = await memory()
    await expect(memorySearch(search, source, { query: 'x', limit: 0 })).rejects.toMatchObject({ code: 'USAGE' })
    await expect(memorySearch(search, source, { query: 'x', maxResults: 3 } as never)).rejects.toMatchObject({ code: 'USAGE' })
    await expect(memorySearch(search, source, { query: 'x', filters: { nope: 1 } as never })).rejects.toMatchObject({ code: 'USAGE' })
  })
})

describe('session_search', () => {
  it('has the outputs of the specification, of sessions alone, with a citation', async () => {
    const { source, search } = await memory()
    const { results } = await sessionSearch(search, source, { query: 'retry webhooks', limit: 5 })
    expect(results).toHaveLength(1)
    expect(results[0]).toMatchObject({
      session_id: 'claude-code:s1',
      timestamp: expect.stringMatching(/Z$/),
      topics: expect.any(Array),
      relevance_score: expect.any(Number),
      content: 'User: How do we retry webhooks?\nAssistant: Three times.\nWith jitter.',
      context: expect.stringContaining('And then?'),
    })
    expect((await memoryGet(source, { path: results[0]?.citation ?? '' })).text).toContain('With jitter.')
  })

  it('takes the filters of the specification', async () => {
    const { source, search } = await memory()
    const found = async (filters: object) =>
      (await sessionSearch(search, source, { query: 'webhooks jitter decided give up', filters })).results.length
    expect(await found({})).toBe(2)
    expect(await found({ after: '2026-02-01', before: '2026-02-06' })).toBe(2)
    expect(await found({ before: '2026-02-01' })).toBe(0)
    expect(await found({ speaker: 'user' })).toBe(1)
    expect(await found({ topics: ['no-such-topic'] })).toBe(0)
    expect(await found({ has_decision: true })).toBe(1)
  })
})
