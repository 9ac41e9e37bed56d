import { describe, expect, it } from 'vitest'
import { hookArguments } from './hook-arguments.ts'

describe('the arguments of a hook', () => {
  it('are the harness, the event and the folders', () => {
    expect(hookArguments(['hook', 'claude-code', 'prompt', '--home', '/h', '--workspace=/w'])).toEqual({
      ...{ harness: 'claude-code', event: 'prompt', home: '/h', workspace: '/w' },
    })
  })

  it('that another version registered are passed over: a usage error would stop the person’s prompt', () => {
    const call = { harness: 'claude-code', event: 'prompt' }
    expect(hookArguments(['hook', 'claude-code', 'prompt', '--new-switch'])).toEqual(call)
    expect(hookArguments(['--new-value=1', 'hook', 'claude-code', 'prompt', 'more'])).toEqual(call)
  })

  it.each([
    [['hook', '--help']],
    [['hook', 'claude-code', 'prompt', '-h']],
    [['hook', 'test', 'codex', 'prompt']],
    [['hook', 'codex']],
    [['search', 'hook', 'x']],
  ])('leave %j to the parser', (argv) => {
    expect(hookArguments(argv)).toBeUndefined()
  })
})
