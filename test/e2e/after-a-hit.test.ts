/** What a person does with a hit, in a real terminal of 80 columns: numbers, show in a pager, the picker, resume. The terminal is left as it was. */
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cellsOf, linesOf, noPty, runInPty, runProgramInPty } from '../helpers/pty.ts'
import { BINARY, binaryHome, SAMPLES } from '../helpers/run-binary.ts'

const home = binaryHome()
const long = join(home.root, 'logs')
const project = join(home.root, "it's $(touch hacked) here")
const LONG = 'c0101744-0000-4000-8000-000000000001'
const env: NodeJS.ProcessEnv = { ...home.env, TERM: 'xterm-256color' }

beforeAll(async () => {
  mkdirSync(long, { recursive: true })
  mkdirSync(project, { recursive: true })
  const at = (i: number) => new Date(Date.UTC(2026, 0, 5, 10, i)).toISOString()
  const lines = Array.from({ length: 40 }, (_, i) => {
    const shared = { sessionId: LONG, cwd: project, version: '2.1.0', isSidechain: false, userType: 'external' }
    const said = `zanzibar question ${i} ${'x'.repeat(120)}\t${'漢字'.repeat(30)} ${'🙂'.repeat(50)}`
    return [
      {
        ...shared,
        type: 'user',
        uuid: `u${i}`,
        parentUuid: i === 0 ? null : `a${i - 1}`,
        timestamp: at(i),
        message: { role: 'user', content: said },
      },
      {
        ...shared,
        ...{ type: 'assistant', uuid: `a${i}`, parentUuid: `u${i}`, timestamp: at(i) },
        message: { id: `m${i}`, role: 'assistant', model: 'claude-x', content: [{ type: 'text', text: `answer ${i}` }] },
      },
    ]
  })
  writeFileSync(
    join(long, `${LONG}.jsonl`),
    `${lines
      .flat()
      .map((line) => JSON.stringify(line))
      .join('\n')}\n`,
  )
  await home.runHere('sync', '--path', SAMPLES, '--no-embed')
  const synced = await home.runHere('sync', '--adapter', 'claude-code', '--path', long, '--no-embed')
  expect(synced.stderr).toBe('')
}, 120_000)
afterAll(() => home.remove())

const fits = (output: string, columns: number) => {
  const lines = linesOf(output)
  const cells = cellsOf(lines)
  const wide = lines.filter((_, i) => (cells[i] ?? 0) > columns)
  expect(wide).toEqual([])
}

describe.skipIf(noPty)('in a terminal', () => {
  it('show never is wider than it, and needs no pager for what fits', async () => {
    for (const argv of [
      ['show', `${LONG}`, '--no-pager'],
      ['show', LONG, '--outline', '--no-pager'],
      ['show', LONG, '--tools', '--no-pager'],
    ]) {
      const { output, code, restored } = await runInPty(argv, { env })
      expect([code, restored]).toEqual([0, true])
      fits(output, 80)
    }
    const short = await runInPty(['show', `${LONG}:3`], { env: { ...env, MNEMONIC_PAGER: 'no-such-pager' }, rows: 60 })
    expect(short.output).toContain('answer 2')
    expect(short.output).not.toContain('no pager')
  }, 120_000)

  it('a long text is shown in the pager, which gets all of it as it reads', async () => {
    const pager = join(home.root, 'pager')
    writeFileSync(pager, '#!/bin/sh\nexec sed "s/^/PAGED /"\n')
    chmodSync(pager, 0o755)
    const { output, code, restored } = await runInPty(['show', LONG], { env: { ...env, MNEMONIC_PAGER: pager } })
    expect([code, restored]).toEqual([0, true])
    expect(linesOf(output).filter((line) => line.startsWith('PAGED '))).toHaveLength(linesOf(output).filter((line) => line !== '').length)
    expect(output).toContain('answer 0')
    expect(output).toContain('answer 39')
  }, 60_000)

  it('less can be left at its first page, by q and by Ctrl-C, and a pager that is missing is none', async () => {
    const keys = [
      [{ after: 'zanzibar', send: 'q' }],
      [
        { after: 'zanzibar', send: '\u0003' },
        { after: /./s, send: 'q', again: true },
      ],
    ] as const
    for (const input of keys) {
      const { code, restored, output } = await runInPty(['show', LONG], { env: { ...env, PAGER: 'less' }, input })
      expect([code, restored]).toEqual([0, true])
      expect(output).not.toContain('answer 39')
    }
    const missing = await runInPty(['show', LONG], { env: { ...env, PAGER: 'no-such-pager -x' } })
    expect([missing.code, missing.restored]).toEqual([0, true])
    expect(missing.output).toContain('no-such-pager is not installed')
    expect(missing.output).toMatch(/answer 0[\s\S]*answer 39/)
  }, 120_000)

  it('the picker shows a hit, comes back to its list, and leaves the terminal as it was', async () => {
    const { output, code, restored } = await runInPty(['search', '-i'], {
      env: { ...env, MNEMONIC_PAGER: 'cat' },
      input: [
        { after: 'newest first', send: 'zanzibar question 7' },
        { after: /1 session\b/, send: '\r' },
        { after: 'press a key', send: ' ' },
        { after: /zanzibar question 7[\s\S]*esc leave/, send: '\u001b' },
      ],
    })
    expect([code, restored]).toEqual([0, true])
    const [, shown = ''] = output.split('\u001b[?1049l')
    const [after = ''] = shown.split('\u001b[?1049h')
    expect(output.match(/\u001b\[\?1049h/g)).toHaveLength(2)
    expect(output).toContain('\u001b[?1049h')
    expect(after).toMatch(/c0101744:\d+/)
    expect(after).toContain('zanzibar question')
    fits(after, 80)
  }, 60_000)

  it('the picker shows a text that fits in the pager too, which stays until it is left', async () => {
    const pager = join(home.root, 'pager-options')
    writeFileSync(pager, '#!/bin/sh\ncat >/dev/null; echo "LESS is $LESS."\n')
    chmodSync(pager, 0o755)
    const { output, code } = await runInPty(['search', '-i', 'zanzibar'], {
      env: { ...env, MNEMONIC_PAGER: pager, LESS: 'FRX' },
      rows: 400,
      input: [
        { after: /1 session\b/, send: '\r' },
        { after: /LESS is[\s\S]*esc leave/, send: '\u001b' },
      ],
    })
    expect(code).toBe(0)
    expect(output).toContain('LESS is FRX -+F.')
    expect(output).not.toContain('press a key')
  }, 60_000)

  it.each([
    ['Ctrl-C', '\u0003', 130],
    ['escape', '\u001b', 0],
  ])(
    'the picker is left by %s',
    async (_name, send, code) => {
      const run = await runInPty(['search', '-i', 'zanzibar'], { env, input: [{ after: /1 session\b/, send }] })
      expect([run.code, run.restored]).toEqual([code, true])
      expect(run.output.trimEnd().endsWith('\u001b[?1049l\u001b[?25h')).toBe(true)
    },
    60_000,
  )

  it('the picker gives the terminal back when it is ended from outside', async () => {
    const script = `"${process.execPath}" "${BINARY}" search -i zanzibar & pid=$!; sleep 4; kill -TERM $pid; wait $pid`
    const { output, restored } = await runProgramInPty(['sh', '-mc', `set +m; ${script.replace(' & pid', ' </dev/tty & pid')}`], { env })
    expect(restored).toBe(true)
    expect(output).toContain('\u001b[?1049l')
  }, 60_000)

  it.each([
    [20, 6],
    [40, 3],
    [200, 50],
  ])(
    'the picker works at %i columns and %i rows',
    async (columns, rows) => {
      const { output, code, restored } = await runInPty(['search', '-i', 'zanzibar'], {
        ...{ env, columns, rows },
        input: [{ after: /1 session\b/, send: '\u001b' }],
      })
      expect([code, restored]).toEqual([0, true])
      const drawn = output.split(/\u001b\[\d+;1H\u001b\[2K/).map((line) => linesOf(line)[0] ?? '')
      expect(Math.max(...cellsOf(drawn))).toBeLessThanOrEqual(columns)
      const last = Math.max(...[...output.matchAll(/\u001b\[(\d+);1H\u001b\[2K/g)].map(([, row]) => Number(row)))
      expect(last).toBeLessThanOrEqual(rows)
    },
    60_000,
  )

  it('resume --run starts the harness in the folder of the session, without a shell', async () => {
    const bin = join(home.root, 'bin')
    mkdirSync(bin)
    writeFileSync(join(bin, 'claude'), '#!/bin/sh\necho "RAN $* IN $(pwd)"; exit 7\n')
    chmodSync(join(bin, 'claude'), 0o755)
    const { output, code, restored } = await runInPty(['resume', LONG, '--run'], { env: { ...env, PATH: `${bin}:${env.PATH}` } })
    expect(linesOf(output).join('')).toContain(`RAN --resume ${LONG} IN ${project}`)
    expect([code, restored]).toEqual([7, true])
    expect(existsSync(join(project, 'hacked')) || existsSync('hacked')).toBe(false)
  }, 60_000)

  it('open runs the editor on the published file', async () => {
    await home.runHere('memory', 'publish', '--session', LONG)
    const { output, code } = await runInPty(['open', LONG], { env: { ...env, EDITOR: 'echo EDITING' } })
    expect(code).toBe(0)
    expect(linesOf(output).join('')).toMatch(/EDITING .*--transcript\.md/)
  }, 60_000)
})

it('numbers of the last answer lead on; without a terminal the session of the harness counts', async () => {
  const mine = { CLAUDE_CODE_SESSION_ID: 'mine' }
  await home.runWith(mine, 'sessions')
  const first = JSON.parse((await home.runHere('sessions', '--json')).stdout) as { sessions: { session_id: string }[] }
  const shown = await home.runWith(mine, 'show', '1', '--json')
  expect(JSON.parse(shown.stdout)).toMatchObject({ session: { session_id: first.sessions[0]?.session_id } })
  const related = await home.runWith(mine, 'related', '1', '--json')
  expect(JSON.parse(related.stdout)).toMatchObject({ of: { session_id: first.sessions[0]?.session_id } })
  const other = await home.runWith({ CLAUDE_CODE_SESSION_ID: 'another' }, 'show', '1')
  expect([other.code, other.stdout]).toEqual([1, ''])
  expect(other.stderr).toContain('run one, or give an id')
  const [file = ''] = readdirSync(join(home.root, 'home', 'answers'))
  expect(statSync(join(home.root, 'home', 'answers', file)).mode & 0o777).toBe(0o600)
}, 60_000)

it('the printed command is one that a shell takes as it is meant', async () => {
  const { stdout } = await home.runHere('resume', LONG)
  expect(stdout).toBe(`cd '${project.replaceAll("'", "'\\''")}' && claude --resume ${LONG}\n`)
  const ran = spawnSync('sh', ['-c', `claude() { echo "$@"; pwd; }; ${stdout}`], { encoding: 'utf8' })
  expect(ran.stdout).toBe(`--resume ${LONG}\n${project}\n`)
  const refused = await home.runHere('resume', LONG, '--run')
  expect([refused.code, refused.stderr.includes('there is none')]).toEqual([2, true])
}, 60_000)

it('without a terminal there is no picker, no pager, and open prints the path', async () => {
  expect((await home.runHere('search', '-i')).code).toBe(2)
  const shown = await home.runWith({ PAGER: 'no-such-pager' }, 'show', LONG)
  expect([shown.code, shown.stderr]).toEqual([0, ''])
  await home.runHere('memory', 'publish', '--session', LONG)
  const { stdout } = await home.runHere('open', LONG)
  expect(existsSync(stdout.trim())).toBe(true)
  const unpublished = await home.runHere('open', 'c462ede4')
  expect([unpublished.code, unpublished.stderr]).toEqual([1, expect.stringContaining('mnemonic memory publish --session')])
  // What the hint says to type works, also where a turn was named.
  const ofTurn = await home.runHere('open', 'c462ede4:1')
  const [, publish = '', show = ''] = /: mnemonic (memory publish --session \S+); to read it: mnemonic (show \S+)/.exec(ofTurn.stderr) ?? []
  expect([publish, show]).toEqual(['memory publish --session c462ede4', 'show c462ede4'])
  expect((await home.runHere(...publish.split(' '))).code).toBe(0)
  expect(existsSync((await home.runHere('open', 'c462ede4:1')).stdout.trim())).toBe(true)
}, 60_000)

it('one conversation as a file: not over another, noted for forgetting, and found there', async () => {
  const file = join(home.root, 'talk.html')
  expect((await home.runHere('export', LONG, '--format', 'html', '--out', file)).code).toBe(0)
  expect(readFileSync(file, 'utf8')).toContain('answer 39')
  expect((await home.runHere('export', LONG, '--out', file)).stderr).toContain('--force')
  expect((await home.runHere('export', LONG, '--dir', home.root)).code).toBe(2)
  expect((await home.runHere('export', '--format', 'html')).code).toBe(2)
  const some = await home.runHere('export', `${LONG}:2-3`)
  expect(some.stdout).toMatch(/answer 1[\s\S]*answer 2\n/)
  expect(some.stdout).not.toContain('answer 3\n')
  const forgotten = await home.runHere('forget', '--match', 'zanzibar question 39', '--yes', '--json')
  expect(JSON.parse(forgotten.stdout)).toMatchObject({ still_held: expect.arrayContaining([{ path: file, owner: 'export' }]) })
  expect(existsSync(join(home.root, 'home', 'answers'))).toBe(false)
}, 120_000)

describe('completion', () => {
  it('for bash completes commands, options and their values', async () => {
    const { stdout } = await home.runHere('completion', 'bash')
    const ask = (...words: string[]) => {
      const given = words.map((word) => `'${word}'`).join(' ')
      const script = `${stdout}\nCOMP_WORDS=(mnemonic ${given}); COMP_CWORD=${words.length}; _mnemonic; echo "\${COMPREPLY[@]}"`
      return spawnSync('bash', ['-c', script], { encoding: 'utf8' }).stdout.trim().split(' ')
    }
    expect(ask('se')).toEqual(['search', 'secrets', 'sessions'])
    expect(ask('show', '--ou')).toEqual(['--outline'])
    expect(ask('export', 'x', '--format', '')).toEqual(['markdown', 'html'])
    expect(ask('memory', 'ver')).toEqual(['verify'])
    expect(ask('--home', 'sea')).toEqual([''])
    expect(ask('completion', '')).toEqual(['bash', 'zsh', 'fish'])
    expect(spawnSync('bash', ['-n'], { input: stdout }).status).toBe(0)
  })

  it.each(['zsh', 'fish'])('for %s is a script that it reads, where it is installed', async (shell) => {
    const { stdout, code } = await home.runHere('completion', shell)
    expect(code).toBe(0)
    for (const word of ['search', 'outline', 'publish', 'the harness’s command']) expect(stdout).toContain(word)
    const script = join(home.root, `completion.${shell}`)
    writeFileSync(script, stdout)
    const there = spawnSync(shell, ['-n', script], { encoding: 'utf8' })
    if (there.error === undefined) expect([there.status, there.stderr]).toEqual([0, ''])
  })
})
