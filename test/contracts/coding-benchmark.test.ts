import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { testHome } from '../helpers/home.ts'

const script = (name: string) => fileURLToPath(new URL(`../../bench/coding/${name}`, import.meta.url))
const json = <T>(name: string) => JSON.parse(readFileSync(script(name), 'utf8')) as T

interface Question {
  readonly id: string
  readonly type: string
  readonly question: string
  readonly phrasings: readonly string[]
  readonly evidence: readonly { readonly session: string; readonly messages: readonly string[] }[]
}

const QUESTIONS = json<Question[]>('questions.json')

function score(lines: readonly object[]) {
  const file = join(testHome().logs, 'answers.jsonl')
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  const out = execFileSync(process.execPath, [script('score.js'), file, '--json'], { encoding: 'utf8' })
  return JSON.parse(out) as { answered: number; rows: { type: string; at5: number; at10: number; within_2000_tokens: number | null }[] }
}

it('every question has phrasings, a type, and evidence in a session of the list', () => {
  const sessions = new Set(json<{ id: string }[]>('sessions.json').map(({ id }) => id))
  expect(sessions.size).toBe(142)
  expect(new Set(QUESTIONS.map(({ id }) => id)).size).toBe(80)
  for (const { question, phrasings, evidence } of QUESTIONS) {
    expect(phrasings.length).toBeGreaterThanOrEqual(3)
    expect(phrasings).not.toContain(question)
    expect(evidence.length).toBeGreaterThan(0)
    for (const { session, messages } of evidence) expect(sessions.has(session) && messages.length > 0).toBe(true)
  }
})

it('whoever has the right message first scores 100, and what comes sixth or does not fit counts less', () => {
  const right = ({ evidence }: Question) => evidence.map(({ messages }) => messages[0])
  expect(score(QUESTIONS.map((one) => ({ id: one.id, ranked: right(one) }))).rows[0]).toMatchObject({ at10: 100, at5: 100 })
  const late = score(
    QUESTIONS.map((one) => {
      const ranked = [...Array.from({ length: 5 }, () => 'no such message'), right(one)]
      return { id: one.id, ranked, tokens: ranked.map(() => 500) }
    }),
  )
  expect(late.rows[0]).toMatchObject({ at5: 0, at10: 100, within_2000_tokens: 0 })
  expect(score([]).rows[0]).toMatchObject({ at5: 0, at10: 0, within_2000_tokens: null })
})

it('a question without an answer, and a hit of unknown length, count in no column as found', () => {
  const [first] = QUESTIONS
  const ranked = first?.evidence.map(({ messages }) => messages[0])
  const share = 100 / QUESTIONS.length
  const told = score([{ id: first?.id, ranked, tokens: ranked?.map(() => 1) }]).rows[0]
  for (const part of [told?.at10, told?.within_2000_tokens]) expect(part).toBeCloseTo(share)
  expect(score([{ id: first?.id, ranked, tokens: [] }]).rows[0]?.within_2000_tokens).toBe(0)
})

it('what is no answer is refused with its number', () => {
  const file = join(testHome().logs, 'answers.jsonl')
  writeFileSync(file, '{"id":"A01","ranked":[]}\n{"id":"A02","ranked":"x"}\n')
  const { status, stderr } = spawnSync(process.execPath, [script('score.js'), file], { encoding: 'utf8' })
  expect([status, stderr]).toEqual([2, 'error: answer 2 is no object with id and ranked, a list: {"id":"A02","ranked":"x"}\n'])
})

it('takes the lines of search --batch, and the second id of a message', () => {
  const lines = QUESTIONS.slice(0, 40).map(({ id, evidence }) => ({
    ...{ id, mode: {}, results: evidence.map(({ messages }) => ({ message_ids: ['x', messages.at(-1)] })) },
  }))
  const { answered, rows } = score(lines)
  expect(answered).toBe(40)
  expect(rows[0]?.at10).toBe(50)
})

it('asks one line a question, with its phrasings where they are wanted', () => {
  const lines = (...args: string[]) =>
    execFileSync(process.execPath, [script('ask.js'), ...args], { encoding: 'utf8' })
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { query: string; queries?: string[] })
  expect(lines().map(({ query }) => query)).toEqual(QUESTIONS.map(({ question }) => question))
  expect(lines().every(({ queries }) => queries === undefined)).toBe(true)
  expect(lines('--phrasings')[0]?.queries).toEqual(QUESTIONS[0]?.phrasings)
})

it('gets sessions out of a branch of checkpoints: the longest version, and says what differs and what is not there', () => {
  const repository = testHome().logs
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], { cwd: repository, stdio: 'pipe' })
  const [first, second] = json<{ id: string }[]>('sessions.json') as [{ id: string }, { id: string }]
  const line = (session: string, text: string) => `${JSON.stringify({ sessionId: session, text })}\n`
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(repository, path)), { recursive: true })
    writeFileSync(join(repository, path), text)
  }
  git('init', '--quiet', '--initial-branch=entire/checkpoints/v1')
  write('ab/cdef012345/0/full.jsonl', line(first.id, 'one') + line(first.id, 'two'))
  write('ab/cdef012345/1/full.jsonl', line('another', 'not asked about'))
  git('add', '.')
  git('commit', '--quiet', '-m', 'one')
  write('ab/cdef012345/0/full.jsonl', line(first.id, 'one'))
  write('01/23456789ab/0/full.jsonl', line(first.id, 'resumed') + line(second.id, 'own') + line(second.id, 'own'))
  git('add', '.')
  git('commit', '--quiet', '-m', 'two')
  const into = testHome().logs
  const { status, stderr } = spawnSync(process.execPath, [script('fetch.js'), into, '--repository', repository], { encoding: 'utf8' })
  expect(readdirSync(into).sort()).toEqual([`${first.id}.jsonl`, `${second.id}.jsonl`])
  expect(readFileSync(join(into, `${first.id}.jsonl`), 'utf8')).toContain('two')
  expect(stderr).toContain('2 of 142 sessions')
  expect(stderr).toContain('140 are not there')
  expect(status).toBe(3)
})
