/** `search --batch` of the real binary: lines in, lines out, in one process. */
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { binaryHome, ended, SAMPLES } from '../helpers/run-binary.ts'

const home = binaryHome()
beforeAll(async () => void (await home.runHere('sync', '--path', SAMPLES)))
afterAll(() => home.remove())

type Line = { id?: string | number; results?: { session_id: string }[]; mode?: object; error?: { code: string } }

const parsed = (stdout: string) =>
  stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
const file = (name: string, text: string) => {
  const path = join(home.root, name)
  writeFileSync(path, text)
  return path
}

describe('search --batch', () => {
  it('answers each line as a single search does, in the order of the lines', async () => {
    const queries = [
      { id: 'b', query: 'why did we choose sqlite for the job queue', limit: 3 },
      { id: 7, query: 'posting frequency', filters: { speaker: 'Jason' } },
      { id: 'a', query: '"no such phrase anywhere"' },
    ]
    const path = file('queries.jsonl', `${queries.map((query) => JSON.stringify(query)).join('\n')}\n`)
    const { code, stdout } = await home.run('search', '--batch', path, '--json')
    expect(code).toBe(0)
    const lines = parsed(stdout)
    expect(lines.map(({ id }) => id)).toEqual(['b', 7, 'a'])
    const keys = ['corrections', 'groups', 'id', 'matched', 'mode', 'more', 'results']
    for (const line of lines) expect(Object.keys(line).sort()).toEqual(line.id === 'a' ? [...keys, 'left_out'].sort() : keys)
    const single = await home.runHere('search', 'why did we choose sqlite for the job queue', '--limit', '3', '--json')
    expect(lines[0]?.results).toEqual((JSON.parse(single.stdout) as Line).results)
    const named = await home.runHere('search', 'posting frequency', '--speaker', 'Jason', '--json')
    expect(lines[1]?.results).toEqual((JSON.parse(named.stdout) as Line).results)
    expect(lines[2]?.results).toEqual([])
  })

  it('a bad line is answered with its error, the others as ever, and the exit code is 3', async () => {
    const bad = [
      'not json',
      '[1]',
      '{"query":"x"}',
      '{"id":1}',
      '{"id":2,"query":"x","limit":0}',
      '{"id":3,"query":"x","nope":1}',
      '{"id":4,"query":"x","filters":"y"}',
      '{"id":5,"query":"x","filters":{"session":"no-such-session"}}',
    ]
    const path = file('bad.jsonl', `\uFEFF${bad.join('\r\n')}\n\n  \n{"id":6,"query":"sqlite"}`)
    const { code, stdout } = await home.runHere('search', '--batch', path)
    expect(code).toBe(3)
    const lines = parsed(stdout)
    expect(lines.map(({ id }) => id)).toEqual([undefined, undefined, undefined, 1, 2, 3, 4, 5, 6])
    expect(lines.map(({ error }) => error?.code)).toEqual([
      'PARSE_ERROR',
      'PARSE_ERROR',
      ...['USAGE', 'USAGE', 'USAGE', 'USAGE', 'USAGE'],
      'NOT_FOUND',
      undefined,
    ])
    expect(lines.at(-1)?.results?.length).toBeGreaterThan(0)
  })

  it('- reads stdin, and answers before it ends', async () => {
    const child = home.start('search', '--batch', '-', '--limit', '1')
    child.stdin.write('{"id":"ü","query":"sqlite"}\n{"id":2,')
    const [first] = (await once(child.stdout, 'data')) as [Buffer]
    expect(parsed(String(first))[0]).toMatchObject({ id: 'ü', results: [{}] })
    child.stdin.write('"query":"lease","limit":2}')
    expect((await ended(child)).code).toBe(0)
  })

  it('filters of the command line hold for every line that does not say otherwise', async () => {
    const path = file('filters.jsonl', '{"id":1,"query":"sqlite"}\n{"id":2,"query":"sqlite","filters":{"sources":["claude-code"]}}\n')
    const { stdout } = await home.runHere('search', '--batch', path, '--source', 'jsonl', '--json')
    const [one, two] = parsed(stdout)
    expect(one?.results?.every(({ session_id }) => session_id.startsWith('jsonl:'))).toBe(true)
    expect(two?.results?.every(({ session_id }) => session_id.startsWith('claude-code:'))).toBe(true)
    expect(two?.results?.length).toBeGreaterThan(0)
  })

  it('a file that is not there, and a query besides, are errors of the command', async () => {
    const missing = await home.runHere('search', '--batch', join(home.root, 'nothing.jsonl'), '--json')
    expect(missing).toMatchObject({ code: 1, stdout: '' })
    expect(JSON.parse(missing.stderr)).toMatchObject({ error: { code: 'SOURCE_UNREADABLE' } })
    expect((await home.runHere('search', 'words', '--batch', '-')).code).toBe(2)
    expect((await home.runHere('search')).code).toBe(2)
  })
})
