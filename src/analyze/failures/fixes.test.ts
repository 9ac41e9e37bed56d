import { describe, expect, it } from 'vitest'
import { failuresOf, type Said, type SessionCall } from './fixes.ts'
import { trialOf } from './trial.ts'

const FAILED = 'Exit code 1\nerror: the harbour gate is not built'

interface Made {
  readonly tool?: string
  readonly params: unknown
  readonly result?: unknown
  readonly status?: string
}

function session(...made: (Made | string)[]): { calls: SessionCall[]; said: Said[] } {
  const calls: SessionCall[] = []
  const said: Said[] = []
  for (const one of made) {
    if (typeof one === 'string') said.push({ message: `s${said.length}`, isOwner: one.startsWith('> '), text: one, after: calls.length })
    else {
      const { tool = 'Bash', params, result = 'done', status = 'completed' } = one
      const row = { tool_name: tool, params_json: JSON.stringify(params), result_json: JSON.stringify({ content: result }), status }
      const at = calls.length
      calls.push({ ...trialOf(row), id: `c${at}`, message: `m${at}`, turn: 1, at, sequence: at })
    }
  }
  return { calls, said }
}

const ran = (command: string): Made => ({ params: { command } })
const failed = (command: string, text = FAILED): Made => ({ params: { command }, result: text, status: 'error' })
const edited = (file: string, before: string, after: string): Made => ({
  tool: 'Edit',
  params: { file_path: file, old_string: before, new_string: after },
})
const outcome = (...made: (Made | string)[]) => {
  const { calls, said } = session(...made)
  return failuresOf(calls, said)
}

describe('a failure that was solved', () => {
  it('tells the edit, with the line that changed, and the sentence that says the cause', () => {
    const [found] = outcome(
      failed('make gate'),
      'The problem is that the harbour gate is missing from the list of parts.',
      edited('/p/parts.txt', 'wall\ntower\n', 'wall\ngate = true\ntower\n'),
      ran('make gate 2>&1 | tail -5'),
    )
    expect(found).toMatchObject({
      state: 'fixed',
      calls: 2,
      fix: {
        edits: [{ file: '/p/parts.txt', after: 'gate = true' }],
        why: 'The problem is that the harbour gate is missing from the list of parts.',
      },
    })
  })

  it('leaves out what was tried before it failed again', () => {
    const all = outcome(
      failed('make gate'),
      edited('/p/a', 'one', 'two'),
      failed('make gate'),
      ran('npm install gatekit'),
      ran('make gate'),
    )
    expect(all.map(({ state }) => state)).toEqual(['again', 'fixed'])
    expect(all[1]?.fix).toMatchObject({ edits: [], did: ['npm install gatekit'] })
  })

  it('ends where the error is gone, though another one followed', () => {
    const [first] = outcome(
      failed('make gate'),
      edited('/p/a', 'one', 'two'),
      failed('make gate', 'Exit code 2\nerror: the wall leans'),
      edited('/p/b', 'x', 'y'),
      ran('make gate'),
    )
    expect(first?.fix?.edits).toEqual([{ file: '/p/a', before: 'one', after: 'two' }])
  })

  it('of two that are interleaved gives each its own edit', () => {
    const all = outcome(
      failed('make gate', 'Exit code 1\nharbour/gate.c:3:1: error: gateWidth undeclared'),
      failed('npm run lint', 'Exit code 1\nsrc/wall.ts:9:9: error: wallHeight is never used'),
      edited('/p/harbour/gate.c', 'int a;', 'int gateWidth;'),
      edited('/p/src/wall.ts', 'const wallHeight = 1', ''),
      ran('npm run lint'),
      ran('make gate'),
    )
    expect(all.map(({ fix }) => fix?.edits.map(({ file }) => file))).toEqual([['/p/harbour/gate.c'], ['/p/src/wall.ts']])
  })

  it('in another form tells the form and what the failing one lacked', () => {
    const [found] = outcome(failed('gh pr diff 7 --stat', 'unknown flag: --stat'), ran('gh pr diff 7 --name-only'))
    expect(found).toMatchObject({ state: 'form', fix: { form: 'gh pr diff 7 --name-only', lacked: ['--name-only'] } })
    expect(outcome(failed('gh pr diff 7 --stat'), ran('gh pr diff 7 --name-only'), ran('gh pr diff 7 --stat'))[0]?.state).not.toBe('form')
  })

  it('of a tool tells what the call that passed asked for otherwise', () => {
    const edit = { file_path: '/p/a.ts', old_string: 'x', new_string: 'y' }
    const many = {
      tool: 'Edit',
      params: { ...edit, replace_all: false },
      result: '<tool_use_error>Found 2 matches of the string</tool_use_error>',
      status: 'error',
    }
    expect(outcome(many, { tool: 'Edit', params: { ...edit, replace_all: true } })[0]?.fix?.retry).toBe('replace_all: true')
    const unread = { ...many, result: '<tool_use_error>File has not been read yet.</tool_use_error>' }
    expect(outcome(unread, { tool: 'Read', params: { file_path: '/p/a.ts' } }, { tool: 'Edit', params: many.params })[0]?.fix?.did).toEqual(
      ['read the file'],
    )
  })
})

describe('what is shown of a fix', () => {
  const shown = (...made: (Made | string)[]) => outcome(...made)[0]?.fix

  it('is the line that changed, not one that was only aligned, moved or is the same', () => {
    const before = 'one := Gate{\n\tName:      "wall",\n\tCount:     1,\n\tPlace:     "sea",\n}'
    const after = 'one := Gate{\n\tName:  "wall",\n\tPlace: "sea",\n}'
    expect(shown(failed('make gate'), edited('/p/a.go', before, after), ran('make gate'))?.edits).toEqual([
      { file: '/p/a.go', before: 'Count:     1,' },
    ])
    const silenced = edited(
      '/p/b.go',
      'open(wall)\n\treturn nil\n',
      'open(wall)\n\t//nolint:nilerr // the wall may be gone\n\treturn nil\n',
    )
    expect(shown(failed('make gate'), silenced, ran('make gate'))?.edits[0]?.after).toBe('//nolint:nilerr // the wall may be gone')
    const spaces = shown(failed('make gate'), edited('/p/c.py', '\tlift()', '    lift()'), ran('make gate'))
    expect(spaces?.edits).toEqual([{ file: '/p/c.py', before: '\tlift()', after: '    lift()' }])
  })

  it('is the line with the name that the error names', () => {
    const undefinedName = failed('make gate', 'Exit code 1\nharbour/gate.c:3:1: error: gateWidth undeclared')
    const fix = shown(undefinedName, edited('/p/harbour/gate.c', 'int a;', '#include <wall.h>\nint b;\nint gateWidth;'), ran('make gate'))
    expect(fix?.edits[0]?.after).toBe('int gateWidth;')
  })

  it('leaves out formatters, help, stashes and what ran before a file was read again', () => {
    const fix = shown(failed('make gate'), edited('/p/a', 'one', 'two'), ran('mise run fmt'), ran('gate --help'), ran('make gate'))
    expect(fix?.did).toEqual([])
    expect(outcome(failed('make gate'), ran('git stash && make wall'), ran('git stash pop'), ran('make gate'))[0]?.state).toBe('unchanged')
    const unread = {
      tool: 'Edit',
      params: { file_path: '/p/a.ts', old_string: 'x', new_string: 'y' },
      result: '<tool_use_error>File has not been read yet. Read it first.</tool_use_error>',
      status: 'error',
    }
    const read = { tool: 'Read', params: { file_path: '/p/a.ts' } }
    expect(shown(unread, ran('cp a.ts b.ts'), read, { tool: 'Edit', params: unread.params })?.did).toEqual(['read the file'])
  })

  it('names the code where a test complains, with the test', () => {
    const complains = failed('make gate', 'Exit code 1\n    gate_test.go:81: Install() = 5, want 0')
    const fix = shown(complains, edited('/p/gate.go', 'return 5', 'return 0'), edited('/p/gate_test.go', '"a"', '"b"'), ran('make gate'))
    expect(fix?.edits.map(({ file }) => file)).toEqual(['/p/gate.go', '/p/gate_test.go'])
  })
})

describe('no fix is claimed', () => {
  it('for a line that the command prints when it passes as well', () => {
    const noise = 'Error: context deadline exceeded'
    const passed = { params: { command: 'make gate' }, result: `${noise}\nall is well` }
    const all = outcome(failed('make gate', `Exit code 1\n${noise}\nerror: the wall leans`), edited('/p/a', 'one', 'two'), passed)
    expect(all.map(({ error }) => error.line)).toEqual(['error: the wall leans'])
  })

  it('by a filter that hides the failure, another subcommand, another filter, or after the folder was missing', () => {
    const tests = 'go test ./gate'
    const hidden = { params: { command: `${tests} | grep reset` }, result: '[reset] wall=false' }
    expect(outcome(failed(tests), edited('/p/a', 'one', 'two'), hidden)[0]?.state).toBe('open')
    const shows = { params: { command: `${tests} | grep -E "PASS|FAIL"` }, result: '--- PASS: TestGate (0.1s)' }
    expect(outcome(failed(tests), edited('/p/a', 'one', 'two'), shows)[0]?.state).toBe('fixed')
    const dry = failed('git -C /p gc --dry-run', "error: unknown option `dry-run'")
    expect(outcome(dry, ran('git -C /p count-objects'))[0]?.state).toBe('open')
    expect(
      outcome(failed('cd /p/x && git log', '(eval):cd:1: no such file or directory: /p/x'), ran('cd /p && git log -1'))[0]?.state,
    ).toBe('open')
    const jq = failed("gh api a | jq '.x // .y, '", 'Exit code 3\njq: error: syntax error, unexpected end')
    const found = outcome(jq, { params: { command: "gh api a | jq '(.x // .y)'" }, result: '[]' }, edited('/p/a', 'one', 'two'))[0]
    expect(found).toMatchObject({ state: 'form', fix: { form: "gh api a | jq '(.x // .y)'", edits: [] } })
  })

  it('from work that the owner asked for in between, unless it is about the error', () => {
    const asked = '> now write the page about walls'
    expect(outcome(failed('make gate'), asked, edited('/p/page.md', 'a', 'b'), ran('npm install x'), ran('make gate'))[0]?.state).toBe(
      'unclear',
    )
    const named = failed('make gate', 'Exit code 1\nharbour/gate.c:3:1: error: gateWidth undeclared')
    const found = outcome(
      named,
      asked,
      edited('/p/page.md', 'a', 'b'),
      edited('/p/harbour/gate.c', 'a', 'int gateWidth;'),
      ran('make gate'),
    )[0]
    expect(found?.fix?.edits.map(({ file }) => file)).toEqual(['/p/harbour/gate.c'])
  })

  it('where the command passed again without a change', () => {
    expect(outcome(failed('npm test'), ran('git status'), ran('npm test'))[0]).toMatchObject({ state: 'unchanged' })
  })
  it('where the owner did something that the session does not show', () => {
    expect(outcome(failed('npm test'), '> I installed it, try again', ran('npm test'))[0]?.state).toBe('unclear')
  })
  it('after more edits than can be told apart', () => {
    const edits = Array.from({ length: 20 }, (_, i) => edited(`/p/${i}`, 'a', `b${i}`))
    expect(outcome(failed('npm test'), ...edits, ran('npm test'))[0]?.state).toBe('unclear')
  })
  it('where it never passed', () => {
    expect(outcome(failed('npm test'), edited('/p/a', 'a', 'b'), ran('npm run lint'))[0]?.state).toBe('open')
  })
  it('by a run in the background, a refusal, or one whose exit code is hidden and that complains', () => {
    for (const after of [
      { params: { command: 'npm test' }, result: 'Command running in background with ID: b1' },
      { params: { command: 'npm test' }, result: "The user doesn't want to proceed with this tool use.", status: 'error' },
      { params: { command: 'npm test | tail -3' }, result: '3 errors in the wall' },
    ])
      expect(outcome(failed('npm test'), edited('/p/a', 'a', 'b'), after)[0]?.state).toBe('open')
  })
})

describe('what counts as a failure', () => {
  it.each([
    ['grep without a match', failed('grep -rn harbour src', 'Exit code 1')],
    ['test -f', failed('test -f a.txt', 'Exit code 1')],
    ['a difference', failed('diff a b', 'Exit code 1\n1c1\n< the error of ada\n---\n> the error of bo')],
    ['a listing of errors by a command that passed', { params: { command: 'gh pr diff 3' }, result: '+ error: nothing\nFAIL every one' }],
    ['git diff --exit-code', failed('git diff --exit-code', 'Exit code 1\n-old\n+new')],
    ['a memory that was printed', failed('mnemonic search error', 'error: the harbour gate is not built')],
  ])('%s is none', (_, call) => expect(outcome(call, ran('ls'))).toEqual([]))

  it('a pipe that hides the exit code hides no failing test', () => {
    const piped = { params: { command: 'go test ./... 2>&1 | tail -20' }, result: '--- FAIL: TestTide (0.00s)\nFAIL\tharbour 0.1s' }
    expect(outcome(piped, edited('/p/tide.go', 'a', 'b'), ran('go test ./...'))[0]).toMatchObject({ state: 'fixed' })
  })

  it.each([
    [
      'Codex',
      {
        tool: 'shell',
        params: { command: ['bash', '-lc', 'make gate'] },
        result: JSON.stringify({ output: 'error: the harbour gate is not built', metadata: { exit_code: 2 } }),
      },
    ],
    [
      'Gemini CLI',
      {
        tool: 'run_shell_command',
        params: { command: 'make gate' },
        result: 'Command: make gate\nStderr: error: the harbour gate is not built\nExit Code: 1',
      },
    ],
    ['OpenCode', { tool: 'bash', params: { command: 'make gate' }, result: 'error: the harbour gate is not built', status: 'error' }],
    [
      'Cursor',
      { tool: 'run_terminal_cmd', params: { command: 'make gate' }, result: 'error: the harbour gate is not built\nExit code: 1' },
    ],
  ])('%s says so in its own way', (_, call: Made) => {
    const passed = { ...call, result: 'built', status: 'completed' }
    expect(outcome(call, ran('npm install gatekit'), passed)[0]).toMatchObject({ state: 'fixed', fix: { did: ['npm install gatekit'] } })
  })
})

it('holds no secret of a command, an edit or a sentence', () => {
  const token = `ghp_${'aB3dE5fG7h'.repeat(3)}aB3dE5`
  const found = outcome(
    failed(`TOKEN=${token} make gate --key ${token}`),
    `The problem is that the harbour gate needs ${token} as its key.`,
    edited('/p/a', 'x', `key = "${token}"`),
    ran(`npm config set //host/:_authToken ${token}`),
    ran(`TOKEN=${token} make gate --key ${token}`),
  )
  expect(found[0]?.state).toBe('fixed')
  const { shown } = found[0]?.call.key ?? {}
  expect(JSON.stringify([found[0]?.fix, shown, found[0]?.error])).not.toContain(token.slice(4, 24))
})
