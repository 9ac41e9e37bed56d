/** Published files that an old copy brings back, that somebody edits, or that are lost: they are named, and `recover` mends what it can. */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { Mnemonic } from '../../src/library/index.ts'
import { binaryHome } from '../helpers/run-binary.ts'
import { claudeCodeSource } from '../helpers/sources/claude-code.ts'
import { spokenHome } from '../helpers/spoken-home.ts'

const WORD = 'thimblerig'

async function published() {
  const home = spokenHome()
  const mnemonic = await home.spoken()
  await home.say(mnemonic, 'secret', [`Where does the ${WORD} stand in the cellar?`, `The ${WORD} stands behind the vats.`])
  const long = [
    'Which bolt holds the hatch, please?',
    'The brass one.',
    `And where is the ${WORD} kept at night?`,
    `The ${WORD} is in the shed.`,
  ]
  await home.say(mnemonic, 'partly', [
    ...long,
    'And the ladder, where is that?',
    'It leans on the wall.',
    'Thanks, that is all for now.',
    'Gladly.',
  ])
  for (const id of ['harbor', 'secret', 'partly']) await mnemonic.artifacts.publish({ session: `jsonl:${id}` })
  const workspace = join(home.root, 'workspace')
  const [memory, aside] = [join(workspace, 'memory'), join(home.root, 'aside')]
  const read = (name: string) => readFileSync(join(memory, name), 'utf8')
  const names = (end: string) => readdirSync(memory).filter((name) => name.endsWith(end))
  const holding = () => readdirSync(memory).filter((name) => name.endsWith('.md') && read(name).includes(WORD))
  const problems = async () => (await mnemonic.artifacts.verify()).problems
  return { mnemonic, workspace, memory, aside, names, read, holding, problems }
}

const ofPublished = async (mnemonic: Mnemonic) => (await mnemonic.health()).checks.find(({ name }) => name === 'published')

it('forgotten files that are copied back are named by verify and health, and recover removes them', async () => {
  const { mnemonic, memory, aside, names, holding, problems } = await published()
  cpSync(memory, aside, { recursive: true, filter: (path) => !path.endsWith('tombstones.jsonl') })
  await mnemonic.forget({ session: 'jsonl:secret' })
  const { rows } = await mnemonic.sql(`select turn_id from agent_messages where content like '%${WORD} kept%'`)
  await mnemonic.forget({ turn: String(rows[0]?.[0]) })
  expect(holding()).toEqual([])
  expect(await problems()).toEqual([])

  cpSync(aside, memory, { recursive: true })
  const back = holding()
  expect(back.length).toBeGreaterThanOrEqual(4)
  const found = (await problems()).filter(({ kind }) => kind === 'forgotten').map(({ path }) => path)
  for (const name of back) expect(found).toContain(`memory/${name}`)
  const health = await ofPublished(mnemonic)
  expect(health).toMatchObject({ status: 'DEGRADED', hint: expect.stringContaining('memory recover') })
  expect(health?.message).toContain(`forgotten: memory/`)

  const report = await mnemonic.artifacts.recover()
  // A list of all sessions is written again instead.
  const files = back.filter((name) => name !== 'LEDGER.md')
  expect(report.forgotten).toEqual(expect.arrayContaining(files.map((name) => `memory/${name}`)))
  expect(holding()).toEqual([])
  expect(await problems()).toEqual([])
  expect(await ofPublished(mnemonic)).toMatchObject({ status: 'OK' })
  // The session that stays is published as it was after the forgetting; the other one, which nobody forgot, was never touched.
  expect(names('--transcript.md').length).toBe(2)
  expect((await mnemonic.artifacts.open('jsonl:partly'))?.summary_path).not.toBeNull()
  expect((await mnemonic.artifacts.recover()).forgotten).toEqual([])
})

it('copies of them under another name or in a folder below memory/ are named and removed too; notes of people stay', async () => {
  const { mnemonic, memory, aside, names, read, problems } = await published()
  cpSync(memory, aside, { recursive: true, filter: (path) => !path.endsWith('tombstones.jsonl') })
  await mnemonic.forget({ session: 'jsonl:secret' })
  cpSync(aside, join(memory, 'memory'), { recursive: true })
  const summary = readdirSync(aside).find(
    (name) => name.endsWith('--summary.md') && readFileSync(join(aside, name), 'utf8').includes('jsonl:secret'),
  ) as string
  cpSync(join(aside, summary), join(memory, 'a copy.md'))
  writeFileSync(join(memory, 'notes.md'), '---\nkind: "note"\n---\nMine.\n')
  const found = (await problems()).filter(({ kind }) => kind === 'forgotten').map(({ path }) => path)
  expect(found).toHaveLength(4)
  expect(found).toEqual(expect.arrayContaining(['memory/a copy.md', `memory/memory/${summary}`]))
  const kept = names('--summary.md').map((name) => read(`memory/${name}`))
  expect([...(await mnemonic.artifacts.recover()).forgotten].sort()).toEqual([...found].sort())
  expect(names('--summary.md').map((name) => read(`memory/${name}`))).toEqual(kept)
  expect(read('notes.md')).toContain('Mine.')
  expect(await problems()).toEqual([])
})

it('a list that comes back after the last session was forgotten is written again by recover', async () => {
  const home = binaryHome()
  onTestFinished(() => home.remove())
  claudeCodeSource.write(join(home.root, 'claude', 'projects'), 'only', [
    { prompt: `Where is the ${WORD}?`, answer: `The ${WORD} is in the loft.`, at: Date.now() - 86_400_000 },
  ])
  const run = async (...argv: string[]) => expect((await home.runHere(...argv)).code, argv.join(' ')).toBe(0)
  await run('sync', '--no-embed')
  await run('memory', 'publish')
  const workspace = join(home.root, 'workspace')
  const lists = ['MEMORY.md', 'memory/LEDGER.md', 'agents/ops/MEMORY.md']
  mkdirSync(join(workspace, 'agents', 'ops'), { recursive: true })
  cpSync(join(workspace, 'MEMORY.md'), join(workspace, 'agents', 'ops', 'MEMORY.md'))
  const aside = join(home.root, 'aside')
  cpSync(workspace, aside, { recursive: true, filter: (path) => !path.endsWith('tombstones.jsonl') })
  const { sessions } = JSON.parse((await home.runHere('sessions', '--json')).stdout) as { sessions: { id: string }[] }
  await run('forget', '--session', String(sessions[0]?.id), '--yes')
  cpSync(aside, workspace, { recursive: true })
  const holding = () => lists.filter((path) => readFileSync(join(workspace, path), 'utf8').includes(WORD))
  expect(holding()).toEqual(lists)
  expect((await home.runHere('memory', 'verify')).code).toBe(3)
  await run('memory', 'recover')
  expect(holding()).toEqual([])
  await run('memory', 'verify')
}, 60_000)

it('a forgotten file whose head was damaged is known by its name', async () => {
  const { mnemonic, memory, names, problems } = await published()
  const name = names('--transcript.md').find((one) => readFileSync(join(memory, one), 'utf8').includes('behind the vats')) as string
  const text = readFileSync(join(memory, name), 'utf8')
  await mnemonic.forget({ session: 'jsonl:secret' })
  writeFileSync(join(memory, name), text.replace(/^---\n/, ''))
  expect(await problems()).toMatchObject([{ path: `memory/${name}`, kind: 'forgotten' }])
  await mnemonic.artifacts.recover()
  expect(names('--transcript.md')).not.toContain(name)
})

it('a manifest that is cut off or empty does not stop recover: it is written again, and the old one kept beside it', async () => {
  const { mnemonic, memory, names, problems } = await published()
  const [empty, cut] = names('--manifest.md') as [string, string]
  writeFileSync(join(memory, empty), '')
  writeFileSync(join(memory, cut), readFileSync(join(memory, cut), 'utf8').slice(0, 40))
  expect((await problems()).map(({ path }) => path)).toEqual(expect.arrayContaining([`memory/${empty}`, `memory/${cut}`]))
  const { manifests } = await mnemonic.artifacts.recover()
  expect([...manifests].sort()).toEqual([`memory/${empty}`, `memory/${cut}`].sort())
  expect(await problems()).toEqual([])
  expect(readdirSync(memory).filter((name) => name.includes('.replaced-'))).toHaveLength(2)
})

it('a lost manifest is named, and recover writes it again from its files, also without the ledger', async () => {
  const { mnemonic, memory, names, read, problems } = await published()
  const before = Object.fromEntries(names('--manifest.md').map((name) => [name, read(name)]))
  await mnemonic.sql('select 1')
  for (const name of names('--manifest.md')) rmSync(join(memory, name))
  expect((await problems()).map(({ kind }) => kind)).toEqual(expect.arrayContaining(['broken-link', 'missing']))
  expect((await ofPublished(mnemonic))?.message).toContain('missing: memory/')
  expect([...(await mnemonic.artifacts.recover()).manifests].sort()).toEqual(
    Object.keys(before)
      .sort()
      .map((name) => `memory/${name}`),
  )
  expect(await problems()).toEqual([])
  const plain = (text: string) => text.replace(/^(revision|updated_at|memory_md_refs):.*$\n(^ {2}- .*$\n)*/gm, '')
  for (const [name, text] of Object.entries(before)) expect(plain(read(name))).toBe(plain(text))
})

it('missing and edited files are named by verify and health with what helps', async () => {
  const { mnemonic, memory, names, read, problems } = await published()
  const [lost, edited] = names('--summary.md') as [string, string]
  rmSync(join(memory, lost))
  writeFileSync(join(memory, edited), `${read(edited)}\nAdded by hand.\n`)
  const found = await problems()
  expect(found).toContainEqual(
    expect.objectContaining({ path: `memory/${lost}`, kind: 'missing', problem: expect.stringContaining(`restore memory/${lost}`) }),
  )
  const ways = expect.stringMatching(new RegExp(`restore memory/${edited} .*accept memory/${edited} `))
  expect(found).toContainEqual(expect.objectContaining({ path: `memory/${edited}`, kind: 'tampered', problem: ways }))
  const { message, hint } = (await ofPublished(mnemonic)) ?? {}
  // It removes what was forgotten, and mends neither of these.
  expect(hint).not.toContain('recover')
  expect(message).toContain(`missing: memory/${lost}`)
  expect(message).toContain(`tampered: memory/${edited}`)
  await mnemonic.artifacts.recover()
  expect(await problems()).toContainEqual(expect.objectContaining({ problem: expect.stringContaining(`restore memory/${lost}`) }))
})

it('sync and publish name forgotten files that are back, by their names; a session that stays is no warning', async () => {
  const { mnemonic, memory, aside } = await published()
  cpSync(memory, aside, { recursive: true, filter: (path) => !path.endsWith('tombstones.jsonl') })
  await mnemonic.forget({ session: 'jsonl:secret' })
  const { rows } = await mnemonic.sql(`select turn_id from agent_messages where content like '%${WORD} kept%'`)
  await mnemonic.forget({ turn: String(rows[0]?.[0]) })
  const warned = async () => [...(await mnemonic.artifacts.publish()).warnings, ...(await mnemonic.sync({ embed: false })).totals.warnings]
  expect(await warned()).toEqual([])
  const secret = readdirSync(aside).filter((name) => readFileSync(join(aside, name), 'utf8').includes('jsonl:secret'))
  for (const name of secret) cpSync(join(aside, name), join(memory, name))
  const warnings = await warned()
  expect(warnings).toHaveLength(2)
  for (const warning of warnings) {
    expect(warning).toMatch(/^3 published files of what was forgotten are in .* again/)
    expect(warning).toContain('mnemonic memory recover')
  }
  expect((await mnemonic.artifacts.publish({ session: 'jsonl:harbor' })).warnings).toHaveLength(1)
  await mnemonic.artifacts.recover()
  expect(await warned()).toEqual([])
})

it('the note that an archived transcript leaves goes with its session; put back, it is named, and recover removes it', async () => {
  const home = binaryHome()
  onTestFinished(() => home.remove())
  const run = async (...argv: string[]) => {
    const { code, stdout } = await home.runHere(...argv, '--json')
    return { code, answer: JSON.parse(stdout) }
  }
  const at = (n: number) => Date.UTC(2024, 1, 1 + n, 9)
  for (const [n, name] of ['old', 'other'].entries())
    claudeCodeSource.write(join(home.root, 'claude', 'projects'), name, [
      { prompt: `Where is the ${name} ${WORD}?`, answer: `The ${name} one is in the loft.`, at: at(n) },
    ])
  await run('sync', '--no-embed')
  await run('memory', 'publish')
  const memory = join(home.root, 'workspace', 'memory')
  const { archived } = (await run('memory', 'archive', '--before', '2025-01-01')).answer
  const [{ session_id, from, path }, other] = archived
  const [note, archive] = [join(home.root, 'workspace', from), join(home.root, 'workspace', path)]
  const aside = { note: readFileSync(note), archive: readFileSync(archive) }
  await run('forget', '--session', session_id, '--yes')
  expect([existsSync(note), existsSync(archive), existsSync(join(home.root, 'workspace', other.from))]).toEqual([false, false, true])
  expect(
    readdirSync(memory).filter((name) => name.endsWith('.md') && readFileSync(join(memory, name), 'utf8').includes(session_id)),
  ).toEqual([])

  for (const back of [['note'], ['note', 'archive']] as const) {
    writeFileSync(note, aside.note)
    if (back.length === 2) writeFileSync(archive, aside.archive)
    const verified = await run('memory', 'verify')
    expect(verified.code).toBe(3)
    expect(verified.answer.problems).toContainEqual(expect.objectContaining({ path: from, kind: 'forgotten' }))
    const { checks } = (await run('health')).answer
    expect(checks.find(({ name }: { name: string }) => name === 'published')).toMatchObject({
      status: 'DEGRADED',
      message: expect.stringContaining(from),
    })
    for (const argv of [
      ['sync', '--no-embed'],
      ['memory', 'publish'],
    ]) {
      const { stdout, stderr } = await home.runHere(...argv)
      expect(stdout + stderr).toContain('mnemonic memory recover removes them')
    }
    expect((await run('memory', 'recover')).answer.forgotten).toContain(from)
    expect([existsSync(note), existsSync(archive)]).toEqual([false, false])
    expect(await run('memory', 'verify')).toMatchObject({ code: 0 })
  }
})
