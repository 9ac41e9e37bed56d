import { describe, expect, it } from 'vitest'
import { errorLines, normalLine } from './signature.ts'

const signatures = (text: string) => errorLines(text).map(({ signature }) => signature)

describe('a signature', () => {
  it.each([
    ['paths', 'cat: /home/ada/x/notes.txt: No such file or directory', 'cat: /Users/bo/work/other.md: No such file or directory'],
    ['Windows paths', 'error: cannot open C:\\Users\\ada\\a.txt for reading', 'error: cannot open D:\\work\\deep\\b.log for reading'],
    ['places in files', 'src/a.ts:12:3: error TS2304: Cannot find name Foo', 'lib/b.ts:7:40: error TS2304: Cannot find name Foo'],
    ['numbers and times', 'Error: timed out after 3000ms at 2026-01-02T10:11:12Z', 'Error: timed out after 12s at 2025-12-31T23:59:59Z'],
    ['hashes and ids', 'fatal: bad object 3f2a1c9d77', 'fatal: bad object 0a1b2c3d4e5f60718293a4b5c6d7e8f901234567'],
    ['addresses', 'Error: connect ECONNREFUSED 127.0.0.1:5432', 'Error: connect ECONNREFUSED 127.0.0.1:6379'],
    ['uuids', 'error: no session 123e4567-e89b-42d3-a456-426614174000', 'error: no session 00000000-e89b-42d3-a456-4266141740ff'],
    ['the shell', '(eval):1: command not found: mise', 'bash: line 4: command not found: mise'],
  ])('is the same with other %s', (_, one, other) => {
    expect(signatures(one)).toHaveLength(1)
    expect(signatures(one)).toEqual(signatures(other))
  })

  it('keeps names, so that two errors of one form are two', () => {
    expect(signatures('a.go:1:2: undefined: Foo')).not.toEqual(signatures('a.go:1:2: undefined: Bar'))
    expect(signatures('--- FAIL: TestParse/too_long (0.1s)')).not.toEqual(signatures('--- FAIL: TestParse/too_short (0.1s)'))
    expect(signatures('命令失败: error 无法读取文件 配置')).not.toEqual(signatures('命令失败: error 无法写入文件 配置'))
  })

  it('tells an error without words of its own by the frame of the project', () => {
    const thrown = (file: string, line: number) =>
      `TypeError: x is not a function\n    at load (node:internal/modules:1:1)\n    at draw (/home/ada/atlas/src/${file}:${line}:7)\n    at run (/home/ada/atlas/node_modules/a/b.js:1:1)`
    expect(signatures(thrown('tiles.ts', 10))).toEqual(signatures(thrown('tiles.ts', 99)))
    expect(signatures(thrown('tiles.ts', 10))).not.toEqual(signatures(thrown('lakes.ts', 10)))
  })

  it.each([
    'Exit code 1',
    'FAIL',
    'exit status 1',
    '[lint] ERROR task failed',
    '1 issues:',
    'npm ERR! code ELIFECYCLE',
    'Sibling tool call errored',
    '',
  ])('there is none of %j, which says only that something failed', (text) => expect(errorLines(text)).toEqual([]))

  it('of an edit tool is its message, not the text that it repeats', () => {
    const message = '<tool_use_error>Found 2 matches of the text, but replace_all is false.'
    const found = errorLines(`${message}\nString: return fmt.Errorf("failed to open the gate: %w", err)</tool_use_error>`)
    expect(found.map(({ line }) => line)).toEqual(['Found 2 matches of the text, but replace_all is false.'])
    expect(found[0]?.signature).toBe(signatures(`${message}\nString: x</tool_use_error>`)[0])
  })

  it('is made of redacted text', () => {
    const token = `ghp_${'aB3dE5fG7h'.repeat(3)}aB3dE5`
    const [found] = errorLines(`error: authentication with ${token} was refused by the server`)
    expect(found?.line).toContain('[REDACTED:')
    expect(JSON.stringify(errorLines(`error: ${'x '.repeat(190)}${token} was refused`))).not.toContain(token.slice(0, 20))
  })

  it('is redacted before its colours are stripped, which may be all that shows where a command begins', () => {
    const secret = ['tR4w', 'lNet', '91xQ'].join('')
    for (const colour of ['\u001b[32m', '\u001b[1;31m', '\u001b[0m']) {
      const [found] = errorLines(`error: word${colour}docker login -u me -p ${secret}\u001b[0m was refused by the registry`)
      expect(found?.line).toContain('worddocker login -u me -p [REDACTED:')
      expect(found?.line).not.toContain(secret)
    }
  })

  it('reads ten megabytes and lines without end', () => {
    const noise = 'ok  \tatlas/map\t0.1s\n'.repeat(500_000)
    expect(signatures(`${noise}error: the tide is wrong here\n`)).toEqual(signatures('error: the tide is wrong here'))
    expect(errorLines('a'.repeat(10_000_000))).toEqual([])
    for (const hostile of [
      '/a'.repeat(4_000_000),
      'C:\\'.repeat(3_000_000),
      '1.1.'.repeat(2_000_000),
      `error: ${'"'.repeat(9_000_000)}`,
      'at a ('.repeat(1_500_000),
    ])
      expect(errorLines(hostile).length).toBeLessThan(7)
    expect(normalLine('/a'.repeat(1_000_000)).length).toBeLessThan(500)
  })
})
