/** One form for who speaks, wherever text leaves the ledger: by name where there is one, else by role; never both. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { searchForAgent } from '../../src/library/agent-text.ts'
import { TOOL_HINTS } from '../../src/mcp/hints.ts'
import { testHome } from '../helpers/home.ts'

const AT = '2026-02-05T10:30:00Z'
const named = [
  { id: 'n1', role: 'user', speaker: 'Jason', content: 'How many herons nest here?', timestamp: AT },
  { id: 'n2', role: 'assistant', speaker: 'Max', content: 'Seven herons nest here.', timestamp: AT },
  { id: 'n3', role: 'user', speaker: 'Jason', content: 'And egrets, next to the herons?', timestamp: AT },
  { id: 'n4', role: 'assistant', speaker: 'Max', content: 'Two egrets.', timestamp: AT },
]
const plain = [
  { id: 'p1', role: 'user', content: 'How many otters swim here?', timestamp: AT },
  { id: 'p2', role: 'assistant', content: 'Three otters swim here.', timestamp: AT },
]
const TWICE = /(?:User|Assistant|Summary): (?:Jason|Max|User|Assistant): /

it('says Jason where he has a name, and User where nobody has one', async () => {
  const home = testHome()
  const folder = join(home.root, 'workspace', 'sessions')
  mkdirSync(folder, { recursive: true })
  const write = (name: string, lines: readonly object[]) =>
    writeFileSync(join(folder, name), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  write('named.jsonl', named)
  write('plain.jsonl', plain)
  const mnemonic = await home.open()
  await mnemonic.sync({ embed: false })

  const { rows } = await mnemonic.sql('select content, context_content from session_chunks order by session_id, chunk_index')
  expect(rows.map(([content]) => content)).toEqual([
    'Jason: How many herons nest here?\nMax: Seven herons nest here.',
    'Jason: And egrets, next to the herons?\nMax: Two egrets.',
    'User: How many otters swim here?\nAssistant: Three otters swim here.',
  ])
  for (const [content, whole] of rows) expect(String(whole).endsWith(String(content))).toBe(true)

  const found = await mnemonic.sessionSearch({ query: 'herons nest' })
  expect(found.results[0]?.content).toBe('Jason: How many herons nest here?\nMax: Seven herons nest here.')
  expect(found.results[0]?.context).toContain('[after] Jason: And egrets')
  expect((await mnemonic.search({ query: 'otters swim' })).results[0]?.content).toMatch(/^User: How many otters/)

  const shown = await mnemonic.show('n2')
  expect(shown).toMatchObject({ turns: [{ messages: [{ speaker: 'Jason' }, { speaker: 'Max' }] }] })
  expect((await mnemonic.memoryGet({ id: 'n2' })).text).toContain('\nJason: How many herons nest here?\n\nMax: Seven herons nest here.')

  const dir = join(home.root, 'qmd')
  await mnemonic.index.exportQmd({ dir })
  const exported = readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
  const everywhere = [
    ...exported,
    searchForAgent(found, { now: Date.parse(AT), hints: TOOL_HINTS }),
    JSON.stringify(rows),
    JSON.stringify(found),
  ]
  for (const text of everywhere) expect(text).not.toMatch(TWICE)
})
