import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { random } from '../../test/helpers/generate-claude.ts'
import { type TestHome, testHome } from '../../test/helpers/home.ts'
import { claudeCodeSource } from '../../test/helpers/sources/claude-code.ts'
import { geminiCliDocumentSource } from '../../test/helpers/sources/gemini-cli.ts'
import type { ForgetReport } from './forget.ts'

const WORD = 'Kingfisher'
const MARCH = Date.UTC(2026, 2, 1, 9)
const ROUNDS = 10
const CUT = 200

function sentences(name: string, from: number, count: number): string[] {
  return Array.from(
    { length: count },
    (_, i) => `Sentence ${name}-${from + i} tells of ${(((from + i) * 7919) % 99_991) + 10} lamps by the sea.`,
  )
}

interface Told {
  /** Of all versions of the forgotten record. */
  readonly gone: string[]
  /** Of the last version of all other records. */
  readonly kept: string[]
}

/** Growing and shrinking frees, splits, joins and reuses database pages. */
async function grown(home: TestHome, sources: string): Promise<Told> {
  const gone = new Set<string>()
  let stays: string[] = []
  let kept: string[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    stays = [...stays, ...sentences('grows', round * 90, 90)]
    const told = round < ROUNDS - 1 ? stays : stays.slice(0, CUT)
    const said = [...sentences(`draft${round}`, 0, 15), ...told, ...(round < ROUNDS - 1 ? [] : [`The ${WORD} flies at dawn.`])]
    for (const one of said) gone.add(one)
    geminiCliDocumentSource.write(join(sources, 'gemini'), 'grows', [
      { prompt: 'Write me the long story of lamps', answer: said.join(' '), at: MARCH },
      { prompt: 'And what comes then?', answer: 'Then comes the harbour master with his book.', at: MARCH + 60_000 },
    ])
    if (round < ROUNDS - 1) kept = writeOthers(sources, round)
    // Reopened each time, as the CLI does: closing checkpoints the WAL.
    const mnemonic = await home.open()
    await mnemonic.sync({ path: sources, embed: false })
    if (round % 3 === 2) await mnemonic.artifacts.publish()
    await mnemonic.close()
  }
  return { gone: [...gone], kept }
}

function writeOthers(sources: string, round: number): string[] {
  const rand = random(round)
  const kept: string[] = []
  for (let n = 0; n < 6; n += 1) {
    const text = sentences(`neighbour${n}x${round}`, 0, 3 + Math.floor(rand() * 60))
    kept.push(...text)
    geminiCliDocumentSource.write(join(sources, 'gemini'), `neighbour-${n}`, [
      { prompt: `Tell me of neighbour ${n}`, answer: text.join(' '), at: MARCH + 1000 * n },
    ])
  }
  const lines = sentences('log', 0, (round + 1) * 12)
  claudeCodeSource.write(
    join(sources, 'claude'),
    'log',
    lines.map((line, i) => ({ prompt: line, answer: `Noted as number ${i}.`, at: MARCH + i * 1000 })),
  )
  return [...kept, ...lines]
}

function standing(folder: string, texts: readonly string[]): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))
  const bytes = files.filter((path) => statSync(path).isFile()).map((path) => readFileSync(path, 'latin1'))
  return texts.filter((text) => bytes.some((one) => one.includes(text)))
}

async function world() {
  const home = testHome()
  const sources = join(home.root, 'sources')
  mkdirSync(sources)
  const told = await grown(home, sources)
  const mnemonic = await home.open()
  const folders = () => [join(home.root, 'home'), join(home.root, 'workspace')]
  const left = (texts: readonly string[]) => folders().flatMap((folder) => standing(folder, texts))
  return { home, sources, mnemonic, ...told, left }
}

it('a message that grew over many syncs leaves no sentence of any version, nor in an older copy of the file put in its place', async () => {
  const { home, mnemonic, gone, kept, left } = await world()
  await mnemonic.close()
  const older = readFileSync(home.database)
  const replaced = gone.filter((text) => Number(/ grows-(\d+)/.exec(text)?.[1] ?? 0) >= CUT)
  expect(left(replaced).length, 'sentences that no row says any more').toBeGreaterThan(200)

  const again = await home.open()
  const report = (await again.forget({ match: WORD })) as ForgetReport
  expect(report).toMatchObject({ status: 'gone', removed: { message: 1 } })
  expect(left(gone)).toEqual([])
  expect(report.scan).toMatchObject({ database_rewritten: true, log_emptied: true })
  const db = new Database(home.database, { readonly: true })
  const says = (db.prepare('select content from agent_messages').pluck().all() as string[]).join('\n')
  db.close()
  expect(kept.filter((text) => !says.includes(text))).toEqual([])
  expect(says).toContain('harbour master')

  await again.close()
  writeFileSync(home.database, older)
  expect(left(gone).length).toBeGreaterThan(200)
  await (await home.open()).search({ query: 'harbour master' })
  expect(left(gone)).toEqual([])
})

it('by another selector, and from a backup that holds older versions', async () => {
  const { home, mnemonic, gone, kept, left } = await world()
  const copies = join(home.root, 'copies')
  mkdirSync(copies)
  await mnemonic.safekeeping.backup(join(copies, 'backup.db'))
  expect(standing(copies, gone).length).toBeGreaterThan(200)
  const { results } = await mnemonic.search({ query: WORD })
  const report = (await mnemonic.forget({ turn: results[0]?.turn_id ?? '' })) as ForgetReport
  expect(report).toMatchObject({ status: 'gone', backups: [{ status: 'clean' }] })
  expect(left(gone)).toEqual([])
  expect(standing(copies, gone)).toEqual([])
  expect(standing(copies, kept).length).toBeGreaterThan(kept.length / 2)
})
