/** `mnemonic fork` as a person types it, and what is left where it is killed. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EXCHANGES } from '../helpers/fork-home.ts'
import { binaryHome } from '../helpers/run-binary.ts'
import { claudeCodeSource } from '../helpers/sources/claude-code.ts'

const home = binaryHome()
const logs = join(home.root, 'logs')
const QUERY = ['--query', 'lighthouse beacon retry', '--also', 'quay scheduler waits']

beforeAll(async () => {
  mkdirSync(logs)
  claudeCodeSource.write(logs, 'harbour', EXCHANGES)
  const synced = await home.runHere('sync', '--path', logs, '--adapter', 'claude-code', '--no-embed')
  expect(synced.code).toBe(0)
})
afterAll(() => home.remove())

describe('fork', () => {
  it('prints a text to paste, and nothing else on stdout; how large it is stands on stderr', async () => {
    const { code, stdout, stderr } = await home.runHere('fork', ...QUERY, '--max-tokens', '600')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^<mnemonic-memory v="1">\n# Earlier work: lighthouse beacon retry\n[\s\S]*\n<\/mnemonic-memory>\n$/)
    const tokens = countTokens(stdout, { disallowedSpecial: new Set() })
    expect(tokens).toBeLessThanOrEqual(600)
    expect(stderr).toMatch(new RegExp(`^\\d turns? of 1 session, ${tokens} tokens\n$`))
  })

  it.each([[['--format', 'json']], [['--json']]])('prints %j as documented', async (flags) => {
    const { code, stdout } = await home.runHere('fork', ...QUERY, ...flags)
    expect(code).toBe(0)
    const context = JSON.parse(stdout)
    expect(context).toMatchObject({ query: 'lighthouse beacon retry', total_tokens: expect.any(Number) })
    expect(Object.keys(context.relevant_turns[0])).toEqual(['turn', 'session', 'messages', 'tool_calls', 'why', 'citation'])
  })

  it('writes a session to resume, once; the next sync finds nothing new in it', async () => {
    const out = join(home.root, 'forks', 'next.jsonl')
    mkdirSync(join(home.root, 'forks'))
    const argv = ['fork', ...QUERY, '--into', 'claude-code', '--folder', '/home/dev/next', '--out', out]
    const made = await home.runHere(...argv)
    expect(made).toMatchObject({ code: 0, stdout: expect.stringContaining(out) })
    expect(made.stdout).toMatch(/^cd \/home\/dev\/next && claude --resume [0-9a-f-]{36}$/m)
    const written = readFileSync(out, 'utf8')
    expect(await home.runHere(...argv)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(out) })
    expect(readFileSync(out, 'utf8')).toBe(written)
    const count = async () => JSON.parse((await home.runHere('sql', 'select count(*) from agent_messages', '--json')).stdout).rows
    const before = await count()
    expect((await home.runHere('sync', '--path', join(home.root, 'forks'), '--adapter', 'claude-code', '--no-embed')).code).toBe(0)
    expect(await count()).toEqual(before)
  })

  it.each([
    [[], '--query'],
    [['--query', ' '], 'query'],
    [[...QUERY, '--max-turns', '0'], '--max-turns'],
    [[...QUERY, '--max-turns', '51'], '--max-turns'],
    [[...QUERY, '--max-tokens', 'many'], '--max-tokens'],
    [[...QUERY, '--into', 'emacs'], '--into'],
    [[...QUERY, '--format', 'xml'], '--format'],
    [[...QUERY, '--into', 'pi', '--format', 'json'], '--format'],
    [[...QUERY, '--folder', '/x'], '--folder'],
  ])('refuses %j', async (argv, named) => {
    expect(await home.runHere('fork', ...argv)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(named) })
  })

  it('says that nothing was found, and writes no file', async () => {
    const out = join(home.root, 'nothing.jsonl')
    const made = await home.runHere('fork', '--query', 'zzqxv wwqqk', '--into', 'pi', '--out', out)
    expect(made).toMatchObject({ code: 0, stderr: expect.stringContaining('nothing was found') })
    expect(existsSync(out)).toBe(false)
  })
})

describe('a fork that is killed', () => {
  it.each(['writeSync', 'linkSync'])('in %s leaves no half file, and the next clears up after it', async (call) => {
    const folder = join(home.root, `killed-${call}`)
    const out = join(folder, 'fork.jsonl')
    mkdirSync(folder)
    // Dies as by kill -9 where the new file is half written, or whole but without its name.
    const dying = join(home.root, `${call}.mjs`)
    writeFileSync(
      dying,
      `import fs from 'node:fs'
       import { syncBuiltinESMExports } from 'node:module'
       const { openSync, writeSync } = fs
       let ours
       fs.openSync = (path, ...rest) => {
         const opened = openSync(path, ...rest)
         if (String(path).includes('.mnemonic-tmp-fork')) ours = opened
         return opened
       }
       fs.${call} = (first, bytes, ...rest) => {
         if ('${call}' === 'writeSync') {
           if (first !== ours) return writeSync(first, bytes, ...rest)
           writeSync(first, bytes.subarray(0, 20))
         }
         process.kill(process.pid, 'SIGKILL')
       }
       syncBuiltinESMExports()`,
    )
    const argv = ['fork', ...QUERY, '--into', 'codex', '--out', out]
    expect(await home.runWith({ NODE_OPTIONS: `--import ${dying}` }, ...argv)).toMatchObject({ code: null, signal: 'SIGKILL' })
    expect(readdirSync(folder)).toEqual([expect.stringMatching(/^\.mnemonic-tmp-fork\.jsonl-\d+-[0-9a-f]{8}$/)])
    expect((await home.runHere(...argv)).code).toBe(0)
    expect(readdirSync(folder)).toEqual(['fork.jsonl'])
  })
})
