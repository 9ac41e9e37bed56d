/** Real repositories, scripted sessions: each line leads to its turn or to none. */
import { execFileSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type ClaudeLog, claudeLog } from '../../../test/helpers/claude-log.ts'
import { testHome } from '../../../test/helpers/home.ts'
import { rolloutLines } from '../../../test/helpers/sources/codex.ts'
import type { Mnemonic } from '../../library/index.ts'
import type { WhyAnswer } from './why.ts'

const ONE = 'aaaaaaaa-1111-4000-8000-000000000001'
const TWO = 'bbbbbbbb-2222-4000-8000-000000000002'
const THREE = 'cccccccc-3333-4000-8000-000000000003'
const day = (n: number) => Date.parse(`2026-03-0${n}T10:00:00Z`)

interface World {
  readonly root: string
  readonly repo: string
  readonly logs: string
  git(...args: string[]): string
  commit(message: string, at: number): string
  write(file: string, text: string): void
  session(id: string, at: number, cwd?: string): Author
  open(more?: object): Promise<Mnemonic>
  why(at: string, more?: object): Promise<WhyAnswer>
}

interface Author {
  readonly log: ClaudeLog
  asked(prompt: string): void
  wrote(file: string, text: string): void
  edited(file: string, old: string, fresh: string): void
}

function world({ git: hasGit = true } = {}): World {
  const { root, logs, open } = testHome()
  const repo = join(root, 'atlas')
  mkdirSync(repo)
  const run = (args: readonly string[], at = day(1)) =>
    execFileSync('git', ['-C', repo, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, GIT_AUTHOR_DATE: new Date(at).toISOString(), GIT_COMMITTER_DATE: new Date(at).toISOString() },
    })
  if (hasGit) run(['init', '-q', '-b', 'main'])
  let opened: Mnemonic | undefined
  const made: World = {
    ...{ root, repo, logs },
    git: (...args) => run(args),
    commit(message, at) {
      run(['add', '-A'])
      run(['commit', '-q', '--allow-empty', '-m', message], at)
      return run(['rev-parse', 'HEAD']).trim()
    },
    write(file, text) {
      mkdirSync(join(repo, file, '..'), { recursive: true })
      writeFileSync(join(repo, file), text)
    },
    session(id, at, cwd = repo) {
      const log = claudeLog(logs, id, { from: at, cwd })
      return {
        log,
        asked: (prompt) => log.turn(prompt, 'I will.'),
        wrote(file, text) {
          if (cwd === repo) made.write(file, text)
          log.call('Write', { file_path: join(cwd, file), content: text }, `File created successfully at: ${file}`)
        },
        edited(file, old, fresh) {
          if (cwd === repo) {
            const before = readFileSync(join(repo, file), 'utf8')
            expect(before).toContain(old)
            writeFileSync(
              join(repo, file),
              before.replace(old, () => fresh),
            )
          }
          log.call('Edit', { file_path: join(cwd, file), old_string: old, new_string: fresh }, `The file ${file} has been updated.`)
        },
      }
    },
    async open(more = {}) {
      opened = await open({ config: { owner: { timezone: 'UTC' } }, ...more })
      await opened.sync({ path: logs, embed: false })
      return opened
    },
    async why(at, more = {}) {
      opened ??= await made.open()
      return opened.why({ at, folder: repo, ...more })
    },
  }
  return made
}

const MAIN = `export function connect(url: string) {
  const client = openClient(url)
  return client
}

export function disconnect(client: Client) {
  client.close()
}
`
const of = ({ parts }: WhyAnswer) => parts.map(({ kind, turn }) => (turn === null ? kind : `${kind} ${turn.session_id.slice(12, 16)}`))
const RETRY = '  const client = withRetries(() => openClient(url), 3)'

/** Written by two sessions and a person. */
function written(w: World): void {
  const one = w.session(ONE, day(1))
  one.asked('add a client for the harbour')
  one.wrote('src/client.ts', MAIN)
  w.commit('Add the client', day(1) + 3_600_000)
  const two = w.session(TWO, day(2))
  two.asked('the harbour drops connections: retry three times')
  two.edited('src/client.ts', '  const client = openClient(url)', RETRY)
  w.commit('Retry', day(2) + 3_600_000)
  w.write(
    'src/client.ts',
    readFileSync(join(w.repo, 'src/client.ts'), 'utf8').replace('  client.close()', '  client.close({ force: true })'),
  )
  w.commit('Force it', day(3))
}

describe('with git', () => {
  it('leads each line to the turn that wrote it, and says what a person wrote', async () => {
    const w = world()
    written(w)
    expect(of(await w.why('src/client.ts:1'))).toEqual(['edit aaaa'])
    const retry = await w.why('src/client.ts:2')
    expect(of(retry)).toEqual(['edit bbbb'])
    expect(retry.parts[0]).toMatchObject({
      turn: { id: 'bbbbbbbb:1', asked: 'the harbour drops connections: retry three times', harness: 'claude-code' },
      commit: { subject: 'Retry', author: 'Ada' },
    })
    const human = await w.why('src/client.ts:7')
    expect(of(human)).toEqual(['none'])
    expect(human.parts[0]).toMatchObject({ text: null, commit: { subject: 'Force it' } })
    expect((await w.why('src/client.ts')).counts).toEqual({ edit: 6, commit: 0, unknown: 1, none: 1 })
    expect(of(await w.why('src/client.ts:2', { git: false }))).toEqual(['edit bbbb'])
    expect(of(await w.why('src/client.ts:7', { git: false }))).toEqual(['none'])
  })

  it('takes file:line:column, ranges, and a file that is called so', async () => {
    const w = world()
    written(w)
    w.write('odd name:12', 'one line of text here\n')
    const ranges = async (at: string) => {
      const { from, to } = await w.why(at)
      return [from, to]
    }
    expect(await ranges('src/client.ts:2:9')).toEqual([2, 2])
    expect(await ranges('src/client.ts:2-4')).toEqual([2, 4])
    expect(await ranges('src/client.ts:2,4')).toEqual([2, 4])
    expect(await ranges('src/client.ts#L2-L4')).toEqual([2, 4])
    for (const pasted of [
      'src/client.ts(2,9)',
      'src/client.ts(2): error TS1: no',
      'src/client.ts:2:9: undefined: x',
      'src/client.ts:2: no',
      'src\\client.ts:2',
    ])
      expect(await ranges(pasted)).toEqual([2, 2])
    expect(await ranges('odd name:12')).toEqual([1, 1])
    expect(await ranges('src/client.ts:7-99')).toEqual([7, 8])
    await expect(w.why('src/client.ts:9')).rejects.toMatchObject({ code: 'USAGE', message: expect.stringContaining('8 lines') as string })
    await expect(w.why('src/client.ts:0')).rejects.toMatchObject({ code: 'USAGE' })
    await expect(w.why('src/client.ts:5-2')).rejects.toMatchObject({ code: 'USAGE' })
    await expect(w.why('src/none.ts:1')).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(w.why('src')).rejects.toMatchObject({ code: 'USAGE' })
  })

  it('follows renames, and knows the file that was deleted since', async () => {
    const w = world()
    written(w)
    w.git('mv', 'src/client.ts', 'src/harbour client.ts')
    w.commit('Rename', day(4))
    const moved = await w.why('src/harbour client.ts:2')
    expect(of(moved)).toEqual(['edit bbbb'])
    expect(moved.renamed_from).toEqual(['src/client.ts'])
    rmSync(join(w.repo, 'src/harbour client.ts'))
    expect(await w.why('src/harbour client.ts:2')).toMatchObject({ is_deleted: true, parts: [{ kind: 'edit' }] })
  })

  it('holds through amend, rebase and squash, which change all hashes', async () => {
    const w = world()
    written(w)
    w.git('checkout', '-q', '--orphan', 'squashed')
    w.commit('All of it', day(5))
    expect(of(await w.why('src/client.ts:2'))).toEqual(['edit bbbb'])
    expect(of(await w.why('src/client.ts:1'))).toEqual(['edit aaaa'])
  })

  it('knows lines that nobody committed', async () => {
    const w = world()
    written(w)
    const three = w.session(THREE, day(4))
    three.asked('log it')
    three.edited('src/client.ts', '  return client\n', "  log('connected to the harbour')\n  return client\n")
    const found = await w.why('src/client.ts:3')
    expect(of(found)).toEqual(['edit cccc'])
    expect(found.parts[0]?.commit).toEqual({ hash: null, author: null, at: null, subject: null })
  })

  it('does not attribute what was taken out and came back by hand', async () => {
    const w = world()
    written(w)
    w.git('revert', '--no-commit', 'HEAD~1')
    w.commit('Take it back', day(5))
    const text = readFileSync(join(w.repo, 'src/client.ts'), 'utf8')
    expect(text).not.toContain('withRetries')
    w.write('src/client.ts', text.replace('  const client = openClient(url)', RETRY))
    w.commit('By hand again', day(6))
    expect(of(await w.why('src/client.ts:2'))).toEqual(['unknown'])
  })

  it('shows no secret of a prompt, an answer, a decision, an edit or a title, nor half of one that is cut', async () => {
    const w = world()
    const secret = `gh${'p_'}${'tR4wLn9xQ2'.repeat(4).slice(0, 36)}`
    const one = w.session(ONE, day(1))
    one.log.turn(`log in with ${secret} to the harbour`, `Decision: we will use ${secret} for the harbour. I will write it.`)
    one.wrote('a.ts', `export const token = '${secret}'\nexport const harbour = connect(token)\n`)
    one.edited('a.ts', `export const token = '${secret}'`, 'export const token = readTokenOfTheHarbour()')
    w.commit('Add', day(1) + 3_600_000)
    const two = w.session(TWO, day(2))
    two.log.turn(`${'words '.repeat(65)}${secret} and more of it`, `${'other '.repeat(65)}${secret}`)
    two.edited('a.ts', 'export const harbour = connect(token)', 'export const harbour = connect(token, withRetries)')
    w.commit('Retry', day(2) + 3_600_000)
    const found = [await w.why('a.ts:1'), await w.why('a.ts:2')]
    expect(found.map(of)).toEqual([['edit aaaa'], ['edit bbbb']])
    expect(found[0]?.parts[0]?.turn?.asked).toBe('log in with [REDACTED:github-token] to the harbour')
    expect(found[0]?.parts[0]?.turn?.said).toContain('[REDACTED:github-token]')
    expect(found[0]?.parts[0]?.turn?.tried.map(({ words }) => words)).toEqual([expect.stringContaining('[REDACTED:') as string])
    expect(found[1]?.parts[0]?.turn?.asked).toMatch(/^words words/)
    expect(JSON.stringify(found)).not.toContain(secret.slice(0, 12))
  })

  it('never takes a brace for somebody’s', async () => {
    const w = world()
    const one = w.session(ONE, day(1))
    one.asked('write it')
    one.wrote('a.ts', MAIN)
    w.commit('Add', day(1) + 3_600_000)
    appendFileSync(join(w.repo, 'a.ts'), '\nfunction byHand(value: number) {\n  return value * factorOfTheHouse\n}\n')
    w.commit('By hand', day(2))
    const found = await w.why('a.ts:9-12')
    expect(found.parts.every(({ turn }) => turn === null)).toBe(true)
    expect(of(await w.why('a.ts:4'))).toEqual(['edit aaaa'])
  })

  it('nor where the session wrote the brace and nothing beside it', async () => {
    const w = world()
    w.write('b.ts', 'function byHand(value: number) {\n  return value * factorOfTheHouse\n\nfunction second() {\n')
    w.commit('By hand', day(1))
    const one = w.session(ONE, day(2))
    one.asked('close the function')
    one.edited('b.ts', '  return value * factorOfTheHouse\n', '  return value * factorOfTheHouse\n}\n')
    w.commit('Close', day(3))
    expect(of(await w.why('b.ts:3'))).toEqual(['unknown'])
  })

  it.each([
    ['the line', ''],
    ['it with the next line', '\nconst last = endOfEverything()'],
  ])('leaves a line unknown that sessions in two clones wrote alike, unless git printed its commit to one: %s', async (_, next) => {
    for (const isPrinted of [false, true]) {
      const w = world()
      w.git('remote', 'add', 'origin', 'git@example.com:ada/atlas.git')
      w.write('a.ts', 'const first = startOfEverything()\nconst last = endOfEverything()\n')
      w.commit('Begin', day(1) - 86_400_000)
      const other = join(w.root, 'clone')
      execFileSync('git', ['clone', '-q', w.repo, other])
      execFileSync('git', ['-C', other, 'remote', 'set-url', 'origin', 'git@example.com:ada/atlas.git'])
      const fresh = 'const first = startOfEverything({ quickly: true })'
      const two = w.session(TWO, day(1), other)
      two.asked('quicker')
      two.edited('a.ts', `const first = startOfEverything()${next}`, `${fresh}${next}`)
      const one = w.session(ONE, day(2))
      one.asked('make it quick')
      one.edited('a.ts', `const first = startOfEverything()${next}`, `${fresh}${next}`)
      const hash = w.commit('Quick', day(2) + 120_000)
      if (isPrinted) one.log.call('Bash', { command: 'git commit -qam Quick' }, `[main ${hash.slice(0, 7)}] Quick\n 1 file changed`)
      const found = await w.why('a.ts:1')
      expect(of(found)).toEqual([isPrinted ? 'edit aaaa' : 'unknown'])
      if (!isPrinted) expect(found.parts[0]?.candidates.toSorted()).toEqual(['aaaaaaaa', 'bbbbbbbb'])
    }
  })

  it('names the session that committed what no edit call wrote', async () => {
    const w = world()
    const one = w.session(ONE, day(1))
    one.asked('generate the table')
    w.write('table.txt', 'generated row of the harbour\n')
    const hash = w.commit('Generate', day(1) + 60_000)
    one.log.call('Bash', { command: 'make table && git commit -am Generate' }, `[main ${hash.slice(0, 8)}] Generate`)
    expect(of(await w.why('table.txt:1'))).toEqual(['commit aaaa'])
  })

  it('reads the trailer of a harness that names the session', async () => {
    const w = world()
    w.session(ONE, day(1)).asked('generate the table')
    w.write('table.txt', 'generated row of the harbour\n')
    w.commit(`Generate\n\nHarness-Session: 2026-03-01-${ONE}`, day(1) + 60_000)
    expect(of(await w.why('table.txt:1'))).toEqual(['commit aaaa'])
  })

  it('reads files with CRLF, through a link, and refuses what has no lines', async () => {
    const w = world()
    const one = w.session(ONE, day(1))
    one.asked('write it')
    one.wrote('a.ts', MAIN)
    w.write('a.ts', MAIN.replaceAll('\n', '\r\n'))
    w.commit('Add', day(1) + 3_600_000)
    expect((await w.why('a.ts')).counts).toEqual({ edit: 8, commit: 0, unknown: 0, none: 0 })
    symlinkSync(join(w.repo, 'a.ts'), join(w.root, 'link.ts'))
    expect(of(await w.why(join(w.root, 'link.ts:1')))).toEqual(['edit aaaa'])
    w.write('bin.dat', 'a\0b')
    await expect(w.why('bin.dat')).rejects.toMatchObject({ code: 'USAGE', message: expect.stringContaining('binary') as string })
    w.write('huge.txt', 'x\n'.repeat(5 << 20))
    await expect(w.why('huge.txt:1')).rejects.toMatchObject({ code: 'USAGE' })
    w.write('long.txt', 'some words of it\n'.repeat(6000))
    await expect(w.why('long.txt')).rejects.toMatchObject({ code: 'USAGE', hint: expect.stringContaining('long.txt:1-200') as string })
    expect(of(await w.why('long.txt:5000'))).toEqual(['none'])
    w.write('empty.txt', '')
    expect(await w.why('empty.txt')).toMatchObject({ total: 0, parts: [] })
  })

  it('a hostile repository runs nothing', async () => {
    const w = world()
    written(w)
    const mark = join(w.root, 'ran')
    const program = join(w.root, 'evil.sh')
    writeFileSync(program, `#!/bin/sh\ntouch ${mark}\ncat\n`, { mode: 0o755 })
    w.write('.gitattributes', '* filter=evil diff=evil\n')
    w.commit('Attributes', day(4))
    const settings = `
[core]
	fsmonitor = ${program}
	pager = ${program}
	sshCommand = ${program}
	hooksPath = ${w.root}
	alternateRefsCommand = ${program}
[diff]
	external = ${program}
[diff "evil"]
	textconv = ${program}
	command = ${program}
[filter "evil"]
	clean = ${program}
	smudge = ${program}
	process = ${program}
	required = true
[log]
	showSignature = true
[gpg]
	program = ${program}
[alias]
	blame = !${program}
	log = !${program}
[pager]
	blame = ${program}
	log = ${program}
`
    appendFileSync(join(w.repo, '.git', 'config'), settings)
    appendFileSync(join(w.repo, 'src/client.ts'), '// an uncommitted line of text\n')
    const found = await w.why('src/client.ts')
    expect(found.git).toEqual({ used: true, problem: null })
    expect(found.counts.edit).toBe(6)
    expect(existsSync(mark)).toBe(false)
  })
})

describe('without git', () => {
  it('goes by edit calls alone, and follows a move in a shell', async () => {
    const w = world({ git: false })
    const one = w.session(ONE, day(1))
    one.asked('add a client')
    one.wrote('client.ts', MAIN)
    const two = w.session(TWO, day(2))
    two.asked('retry')
    two.edited('client.ts', '  const client = openClient(url)', RETRY)
    two.log.call('Bash', { command: `mv ${join(w.repo, 'client.ts')} ${join(w.repo, 'harbour.ts')}` }, '')
    renameSync(join(w.repo, 'client.ts'), join(w.repo, 'harbour.ts'))
    const found = await w.why('harbour.ts')
    expect(found.git).toEqual({ used: false, problem: 'no repository' })
    expect(found.counts).toEqual({ edit: 8, commit: 0, unknown: 0, none: 0 })
    expect(of(await w.why('harbour.ts:2'))).toEqual(['edit bbbb'])
  })

  it('reads the patches of Codex, and gives what was tried before', async () => {
    const w = world({ git: false })
    const thread = '0198aaaa-0000-7000-8000-000000000001'
    const { item, asked, answered, started, meta } = rolloutLines(thread)
    const patch = (text: string, n: number) => [
      item('custom_tool_call', {
        call_id: `c${n}`,
        name: 'apply_patch',
        input: `*** Begin Patch\n${text}*** End Patch\n`,
        status: 'completed',
      }),
      item('custom_tool_call_output', {
        call_id: `c${n}`,
        output: '{"output":"Success. Updated the following files:\\nM a.py\\n","metadata":{"exit_code":0}}',
      }),
    ]
    const lines = [
      meta({ cwd: w.repo }),
      started,
      asked('sort the harbours by depth'),
      ...patch(`*** Add File: ${w.repo}/a.py\n+def sort_harbours(harbours):\n+    return sorted(harbours)\n`, 1),
      ...patch(
        `*** Update File: ${w.repo}/a.py\n@@\n def sort_harbours(harbours):\n-    return sorted(harbours)\n+    return sorted(harbours, key=depth_of)\n`,
        2,
      ),
      answered('Sorted.'),
    ]
    writeFileSync(join(w.logs, `rollout-2026-05-01T09-00-00-${thread}.jsonl`), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    w.write('a.py', 'def sort_harbours(harbours):\n    return sorted(harbours, key=depth_of)\n')
    const found = await w.why('a.py:2')
    expect(found.parts).toMatchObject([
      {
        kind: 'edit',
        turn: { harness: 'codex', asked: 'sort the harbours by depth', tried: [{ kind: 'replaced', words: 'return sorted(harbours)' }] },
      },
    ])
  })

  it('shows what the person refused', async () => {
    const w = world({ git: false })
    const one = w.session(ONE, day(1))
    one.asked('add a client')
    one.wrote('client.ts', MAIN)
    const refusal =
      "The user doesn't want to proceed with this tool use. The tool use was rejected. To tell you how to proceed, the user said:\nno global state please"
    one.log.call('Edit', { file_path: join(w.repo, 'client.ts'), old_string: 'a', new_string: 'b' }, refusal, true)
    one.edited('client.ts', '  const client = openClient(url)', RETRY)
    const [part] = (await w.why('client.ts:2')).parts
    expect(part?.turn?.tried).toContainEqual({ kind: 'refused', at: expect.any(String) as string, words: 'no global state please' })
  })
})

describe('what leaves', () => {
  it('is redacted, of one agent, and goes with what is forgotten', async () => {
    const w = world()
    const one = w.session(ONE, day(1))
    const secret = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`
    one.asked(`use the token ${secret} for the harbour`)
    one.wrote('a.ts', `const harbourToken = '${secret}'\n`)
    w.commit(`Token ${secret}`, day(1) + 3_600_000)
    const mnemonic = await w.open()
    const found = await mnemonic.why({ at: 'a.ts:1', folder: w.repo })
    expect(of(found)).toEqual(['edit aaaa'])
    expect(JSON.stringify(found)).not.toContain(secret)
    expect(of(await mnemonic.why({ at: 'a.ts:1', folder: w.repo, agent: 'somebody-else' }))).toEqual(['none'])
    await mnemonic.forget({ session: ONE })
    expect(of(await mnemonic.why({ at: 'a.ts:1', folder: w.repo }))).toEqual(['none'])
  })
})
