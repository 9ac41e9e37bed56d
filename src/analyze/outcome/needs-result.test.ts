/** A skipped result must never be needed: every call that a rule learns from must request it. */
import { describe, expect, it } from 'vitest'
import { needsResult } from './needs-result.ts'

const call = (tool_name: string, params: unknown, status = 'completed') => ({ tool_name, status, params_json: JSON.stringify(params) })

describe('the result is read', () => {
  it.each([
    ['a commit', 'git add -A && git commit -m "feat: kettle"'],
    ['a commit on a line of its own', 'cd /x\ngit -C /x commit -F message.txt'],
    ['a pull request', 'gh pr create --title "Kettle"'],
    ['one on a line of its own', 'cd /x\ngh pr merge 12'],
    ['a merge request', 'glab mr merge 3'],
    ['tests', 'cd /x\nnpx vitest run src'],
    ['other tests', 'mvn -q verify'],
    ['tests behind a task', 'just check'],
  ])('of %s', (_, command) => expect(needsResult(call('Bash', { command }))).toBe(true))

  it.each(['mcp__github__create_pull_request', 'TodoWrite', 'ExitPlanMode', 'TaskCreate', 'mcp__git__git_commit', 'create_pr'])(
    'of the tool %s',
    (tool) => expect(needsResult(call(tool, {}))).toBe(true),
  )

  it('of whatever did not succeed, unless it only looked', () => {
    expect(needsResult(call('Bash', { command: 'ls' }, 'error'))).toBe(true)
    expect(needsResult(call('Edit', { file_path: '/a' }, 'error'))).toBe(true)
    expect(needsResult(call('Read', { file_path: '/a' }, 'error'))).toBe(false)
  })
})

describe('the result is left where it is', () => {
  it.each(['ls -la', 'cat through the night', 'git status', 'rg kettle src'])('of the command %s', (command) =>
    expect(needsResult(call('Bash', { command }))).toBe(false),
  )
  it.each(['Read', 'Grep', 'Edit', 'Write', 'WebFetch'])('of the tool %s', (tool) =>
    expect(needsResult(call(tool, { file_path: '/a/commit.ts' }))).toBe(false),
  )
})
