import { describe, expect, it } from 'vitest'
import { processorTime } from '../../../test/helpers/processor-time.ts'
import { type Deeds, deedsOf, deedsOnce } from './deeds.ts'

interface Sample {
  readonly tool: string | null
  readonly params: unknown
  readonly result?: unknown
  readonly status?: string
}

function deeds({ tool, params, result, status = 'completed' }: Sample): Deeds {
  const json = (value: unknown) => (value === undefined ? null : JSON.stringify(value))
  return deedsOf({ tool_name: tool, params_json: json(params), result_json: json(result), status })
}

const files = (sample: Sample) => deeds(sample).files.map(({ action, path }) => `${action} ${path}`)

it('are read once of a call that several rules look at, and are the same', () => {
  const result_json = JSON.stringify('FAIL src/pier.test.ts\nExit code: 1')
  const call = { tool_name: 'Bash', params_json: '{"command":"npm test"}', result_json, status: 'completed' }
  expect(deedsOnce(call)).toBe(deedsOnce(call))
  expect(deedsOnce(call)).toEqual({ ...deedsOf(call) })
  expect(deedsOnce(call)).toMatchObject({ commands: ['npm test'], failed: true })
  expect(deedsOnce({ ...call, result_json: null })).toMatchObject({ lines: [], failed: false })
})

describe('files', () => {
  it.each<[string, Sample, string[]]>([
    ['Claude Code edits', { tool: 'Edit', params: { file_path: '/r/a.ts', old_string: 'x', new_string: 'y' } }, ['edit /r/a.ts']],
    [
      'Claude Code writes a new file',
      { tool: 'Write', params: { file_path: '/r/b.ts', content: '' }, result: { content: 'ok', toolUseResult: { type: 'create' } } },
      ['create /r/b.ts'],
    ],
    [
      'Claude Code writes over a file',
      { tool: 'Write', params: { file_path: '/r/b.ts', content: '' }, result: { content: 'ok', toolUseResult: { type: 'update' } } },
      ['edit /r/b.ts'],
    ],
    ['OpenCode reads', { tool: 'read', params: { filePath: '/r/c.ts' } }, ['read /r/c.ts']],
    ['Gemini CLI replaces', { tool: 'replace', params: { file_path: 'd.go', old_string: 'a' } }, ['edit d.go']],
    ['Gemini CLI reads many', { tool: 'read_many_files', params: { paths: ['a.go', 'b.go'] } }, ['read a.go', 'read b.go']],
    ['Cursor deletes', { tool: 'delete_file', params: { target_file: 'old.py' } }, ['delete old.py']],
    ['Cline writes', { tool: 'write_to_file', params: { path: 'n.md', content: '# n' } }, ['create n.md']],
    [
      'a text editor of commands views',
      { tool: 'str_replace_based_edit_tool', params: { command: 'view', path: '/r/x.c' } },
      ['read /r/x.c'],
    ],
    ['an MCP server writes', { tool: 'mcp__fs__write_file', params: { path: '/r/y', content: '' } }, ['create /r/y']],
    ['an MCP server moves', { tool: 'mcp__fs__move_file', params: { source: 'a', destination: 'b' } }, ['delete a', 'create b']],
    [
      'Codex patches by a text',
      {
        tool: 'apply_patch',
        params: '*** Begin Patch\n*** Add File: n.ts\n+1\n*** Update File: o.ts\n*** Delete File: p.ts\n*** End Patch',
      },
      ['create n.ts', 'edit o.ts', 'delete p.ts'],
    ],
    [
      'Codex patches in a shell',
      { tool: 'shell', params: { command: ['apply_patch', '*** Begin Patch\n*** Update File: a.rs\n*** End Patch'], workdir: '/w' } },
      ['edit /w/a.rs'],
    ],
    [
      'Codex notes changes',
      { tool: 'apply_patch', params: { changes: { '/w/a.txt': { type: 'update', move_path: null } } } },
      ['edit /w/a.txt'],
    ],
    ['a search touches nothing', { tool: 'Grep', params: { pattern: 'x', path: 'src/a.ts' } }, []],
    ['an address is no file', { tool: 'read_file', params: { uri: 'https://example.org/a.ts' } }, []],
  ])('%s', (_, sample, expected) => expect(files(sample)).toEqual(expected))

  it('a call that failed or was refused touched nothing', () => {
    const params = { file_path: '/r/a.ts' }
    expect(files({ tool: 'Edit', params, status: 'error', result: { content: 'String to replace not found' } })).toEqual([])
    const refused = deeds({
      tool: 'Edit',
      params,
      status: 'error',
      result: { content: "The user doesn't want to proceed with this tool use." },
    })
    expect(refused).toMatchObject({ files: [], failed: false, lines: [] })
  })
})

describe('shell', () => {
  const of = (command: string) => files({ tool: 'Bash', params: { command } })
  it.each<[string, string[]]>([
    ['cat a.ts && head -n 20 b.ts', ['read a.ts', 'read b.ts']],
    ["sed -n '1,5p' src/a.go", ['read src/a.go']],
    ["sed -i '' 's/a/b/' src/a.go", ['edit src/a.go']],
    ['cd /w/x && cat ../y/a.ts', ['read /w/y/a.ts']],
    ['echo hi > out.txt; echo ho >> log.txt 2>/dev/null', ['create out.txt', 'edit log.txt']],
    ['rm old.ts && mv a.ts b.ts && touch c.ts', ['delete old.ts', 'delete a.ts', 'create b.ts', 'create c.ts']],
    ['grep -n "foo bar" src/a.ts src/', ['read src/a.ts']],
    ['tail -n +359 a.log', ['read a.log']],
    // Uncertain commands yield nothing.
    ['cat $FILE "$HOME/x" *.ts', []],
    ['cd "$DIR" && cat a.ts', []],
    ['rm -rf build dist', []],
    ["cat <<'EOF' > made.md\ncat secret.txt\nrm x.ts\nEOF", ['create made.md']],
    ["git commit -m \"$(cat <<'EOF'\ndon't > here.txt\nEOF\n)\"", []],
    ["echo 'unbalanced > a.txt", []],
    ['# cat no.ts', []],
  ])('%s', (command, expected) => expect(of(command)).toEqual(expected))

  it('gives the command itself, what it looked for, and addresses', () => {
    const found = deeds({ tool: 'shell', params: { command: ['bash', '-lc', 'rg -A 3 needle src; curl https://example.org/x'] } })
    expect(found).toMatchObject({
      commands: ['rg -A 3 needle src; curl https://example.org/x'],
      patterns: ['needle'],
      urls: ['https://example.org/x'],
    })
  })

  it('is fast on what is made to be slow', () => {
    const spent = processorTime()
    for (const command of ['('.repeat(100_000), '$('.repeat(50_000), '"$('.repeat(30_000), '<<a '.repeat(20_000), 'a '.repeat(50_000)])
      deeds({ tool: 'Bash', params: { command }, result: { content: `${'error: '.repeat(50_000)}\n`.repeat(3) } })
    expect(spent()).toBeLessThan(5_000)
  })
})

describe('lines', () => {
  const of = (content: unknown, more: Partial<Sample> = {}) =>
    deeds({ tool: 'Bash', params: { command: 'make all' }, result: { content }, ...more })

  it('keeps failing tests, places, frames and exit codes, and not what passed', () => {
    const found = of(
      '=== RUN TestA\n--- PASS: TestError (0s)\n--- FAIL: TestB (0s)\na.go:12:3: undefined: x\n    at run (/w/a.ts:3:9)\nexit status 2\nok',
    )
    expect(found).toMatchObject({
      failed: true,
      lines: ['--- FAIL: TestB (0s)', 'a.go:12:3: undefined: x', 'at run (/w/a.ts:3:9)', 'exit status 2'],
    })
  })

  it('keeps commits with their subjects, and pull requests', () => {
    const hash = '0123456789abcdef0123456789abcdef01234567'
    const found = of(
      `commit ${hash}\nAuthor: A\n\n    Subject of it\n[main 1a2b3c4] Other\n1234567 no hash\nhttps://github.com/o/r/pull/12`,
    )
    expect(found.lines).toEqual([`commit ${hash} Subject of it`, '[main 1a2b3c4] Other', 'https://github.com/o/r/pull/12'])
    expect(found.failed).toBe(false)
  })

  it('an error in a file that is only shown is none', () => {
    const shown = deeds({ tool: 'Bash', params: { command: 'cat a.log' }, result: { content: 'fatal: broken\nError: x' } })
    expect(shown).toMatchObject({ failed: false, lines: [] })
    expect(deeds({ tool: 'Read', params: { file_path: 'a' }, result: { content: 'fatal: broken' } }).lines).toEqual([])
  })

  it.each<[string, Sample]>([
    ['Codex', { tool: 'exec_command', params: { cmd: 'x' }, result: { content: 'Chunk ID: 1\nProcess exited with code 1\nOutput:\nno' } }],
    ['Gemini CLI', { tool: 'run_shell_command', params: { command: 'x' }, result: { content: 'Output: no\nExit Code: 2\nSignal: 0' } }],
    ['OpenCode', { tool: 'bash', params: { command: 'x' }, result: { content: 'no', metadata: { exit: 127 } } }],
    ['pi', { tool: 'bash', params: { command: 'x' }, result: { content: [{ type: 'text', text: 'no\n\nCommand exited with code 1' }] } }],
    ['old Codex', { tool: 'shell', params: { command: ['x'] }, result: { content: '{"output":"no","metadata":{"exit_code":1}}' } }],
  ])('the exit code of %s', (_, sample) => {
    expect(deeds(sample).failed).toBe(true)
  })

  it('what holds no JSON is text', () => {
    expect(deedsOf({ tool_name: 'Bash', params_json: '{"command":"cut', result_json: 'fatal: x', status: 'error' })).toMatchObject({
      commands: ['{"command":"cut'],
      lines: ['fatal: x'],
      failed: true,
    })
  })
})

it('an address that holds a password is no path, wherever it stands', () => {
  const url = ['postgres://ada:', 'h4rborL9x2', '@db/app'].join('')
  expect(files({ tool: 'Write', params: { file_path: `/r/${url}.txt`, content: '' } })).toEqual([])
  expect(files({ tool: 'Write', params: { file_path: '/r//a.txt', content: '' } })).toEqual(['create /r/a.txt'])
})
