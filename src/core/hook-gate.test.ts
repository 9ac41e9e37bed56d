import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { calledTool, toolFailed } from './called-tool.ts'
import { dropGate, fileName, gateHash, gatePath, gateStops, writeGate } from './hook-gate.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'hook-gate-'))
  const command = ['npm', 'test', '--zone'].map(gateHash)
  writeGate(home, { version: 1, files: [gateHash('lantern.ts')], commands: [command], solved: 1 })
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const bash = (command: string) => ({ tool_name: 'Bash', tool_input: { command } })
const edit = (file_path: string) => ({ tool_name: 'Edit', tool_input: { file_path } })
const passes = (payload: object) => gateStops(home, 'before_tool', payload as Record<string, unknown>) === undefined

describe('the gate', () => {
  it('lets a command through that has all words of one that failed, however it is put', () => {
    expect(passes(bash('cd /app && TZ=UTC /usr/bin/npm test -- "--zone" 2>&1 | tail'))).toBe(true)
    expect(passes(bash('npm test'))).toBe(false)
    expect(passes(bash('npm test -- --zones'))).toBe(false)
  })

  it('lets a file through by its name in whatever folder, and stops reading it', () => {
    expect(passes(edit('/a/b/Lantern.ts'))).toBe(true)
    expect(passes(edit('C:\\a\\lantern.ts'))).toBe(true)
    expect(passes(edit('/a/lantern.ts/x.ts'))).toBe(false)
    expect(passes({ tool_name: 'Read', tool_input: { file_path: '/a/lantern.ts' } })).toBe(false)
  })

  it('lets failures through where any was solved', () => {
    const failed = { ...bash('x'), error: 'Exit code 1' }
    expect(gateStops(home, 'tool_failed', failed)).toBeUndefined()
    expect(gateStops(home, 'tool_failed', bash('x'))).toBe('it did not fail')
    writeGate(home, { version: 1, files: [], commands: [], solved: 0 })
    expect(gateStops(home, 'tool_failed', failed)).toBe('no failure was solved yet')
  })

  it('stops everything without its file, or with one that is not what this program wrote', () => {
    for (const text of [
      '{"version":2,"files":[],"commands":[]}',
      '{"version":1}',
      'null',
      '[',
      '{"version":1,"files":[],"commands":[null,[],["x"]]}',
    ]) {
      writeFileSync(gatePath(home), text, { mode: 0o600 })
      expect(passes(bash('npm test -- --zone')), text).toBe(false)
    }
    dropGate(home)
    dropGate(home)
    expect(passes(edit('lantern.ts'))).toBe(false)
  })
})

it.each([
  [{ error: 'x' }, true],
  [{ error: 'x', is_interrupt: true }, false],
  [{ error: null, tool_response: 'fine' }, false],
  [{ tool_response: 'Process exited with code 7\nOutput:' }, true],
  [{ tool_response: 'Process exited with code 0\nerror: 0' }, false],
  [{ tool_response: `${'x\n'.repeat(9000)}Exit code: 2` }, true],
  [{ tool_response: { exit_code: 0, stderr: 'error' } }, false],
  [{ tool_response: { metadata: { exit_code: 3 } } }, true],
  [{ tool_response: { llmContent: 'Output: a\nExit Code: 1' } }, true],
  [{ tool_response: { llmContent: 'Exit Code: 0', error: undefined } }, false],
  [{ tool_response: { error: { message: 'no such text' } } }, true],
  [{ tool_output: '{"exitCode":1,"stderr":"x"}' }, true],
  [{ tool_output: '{"exitCode":0}' }, false],
  [{ tool_output: '{ not json' }, false],
  [{ tool_response: { isError: true } }, true],
  [{ tool_response: 7 }, false],
  [{}, false],
])('%j failed: %s', (payload, isFailed) => expect(toolFailed(payload)).toBe(isFailed))

it.each([
  [
    { tool_name: 'shell', tool_input: { command: ['bash', '-lc', 'npm test'] } },
    { name: 'shell', command: 'npm test', files: [] },
  ],
  [
    { tool_name: 'write_file', tool_input: '{"file_path":"/a.ts"}' },
    { name: 'write_file', files: ['/a.ts'] },
  ],
  [
    { tool_name: 'apply_patch', tool_input: { command: '*** Begin Patch\n*** Update File: a.ts\n*** Add File: b/c.ts\n' } },
    { name: 'apply_patch', files: ['a.ts', 'b/c.ts'] },
  ],
  [
    { tool_name: 'Edit', tool_input: { file_path: 'x'.repeat(2000) } },
    { name: 'Edit', files: [] },
  ],
  [{ tool_name: '', tool_input: {} }, undefined],
  [{ tool_input: { command: 'x' } }, undefined],
])('reads the tool of %j', (payload, tool) => expect(calledTool(payload as Record<string, unknown>)).toEqual(tool))

it('a name is without folders and edges', () => expect(['/a/.Gitignore', 'a\\b.ts', 'c'].map(fileName)).toEqual(['gitignore', 'b.ts', 'c']))
