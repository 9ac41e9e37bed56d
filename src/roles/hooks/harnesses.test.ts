import { describe, expect, it } from 'vitest'
import { HOOK_HARNESSES, hookEvent, hookHarness } from './harnesses.ts'
import { HOOK_EVENTS, type HookEvent } from './hook-call.ts'

const harness = (name: string) => {
  const found = hookHarness(name)
  if (found === undefined) throw new Error(name)
  return found
}

const PROMPTS: Readonly<Record<string, [payload: object, call: object]>> = {
  'claude-code': [
    {
      session_id: 's1',
      transcript_path: '/l/s1.jsonl',
      cwd: '/app',
      permission_mode: 'default',
      hook_event_name: 'UserPromptSubmit',
      prompt: 'why?',
    },
    { session: 's1', folder: '/app', log: '/l/s1.jsonl', prompt: 'why?' },
  ],
  codex: [
    { session_id: 's1', transcript_path: null, cwd: '/app', hook_event_name: 'UserPromptSubmit', model: 'm', turn_id: 't', prompt: 'why?' },
    { session: 's1', folder: '/app', prompt: 'why?' },
  ],
  cursor: [
    {
      conversation_id: 's1',
      generation_id: 'g',
      hook_event_name: 'beforeSubmitPrompt',
      workspace_roots: ['/app', '/b'],
      prompt: 'why?',
      attachments: [],
    },
    { session: 's1', folder: '/app', prompt: 'why?' },
  ],
  'gemini-cli': [
    {
      session_id: 's1',
      transcript_path: '/l/s1.json',
      cwd: '/app',
      hook_event_name: 'BeforeAgent',
      timestamp: '2026-02-05T12:00:00Z',
      prompt: 'why?',
    },
    { session: 's1', folder: '/app', log: '/l/s1.json', prompt: 'why?' },
  ],
  openclaw: [
    {
      event: { prompt: 'why?', messages: [] },
      ctx: { agentId: 'max', sessionId: 's1', sessionKey: 'agent:max:main', workspaceDir: '/app' },
    },
    { session: 's1', folder: '/app', prompt: 'why?', agent: 'max' },
  ],
  opencode: [
    { sessionID: 's1', directory: '/app', prompt: 'why?' },
    { session: 's1', folder: '/app', prompt: 'why?' },
  ],
}

describe('a payload becomes a call', () => {
  it.each(Object.entries(PROMPTS))('of %s', (name, [payload, call]) => {
    expect(harness(name).call('prompt', payload as Record<string, unknown>)).toEqual({ harness: name, event: 'prompt', ...call })
  })

  it('for every harness there is', () => {
    expect(HOOK_HARNESSES.map(({ name }) => name)).toEqual(Object.keys(PROMPTS))
  })

  it('with the reason of a start, of an end and of a compaction', () => {
    const { call } = harness('claude-code')
    expect(call('session_start', { session_id: 's', source: 'compact' })?.reason).toBe('compact')
    expect(call('pre_compact', { session_id: 's', trigger: 'auto' })?.reason).toBe('auto')
    expect(call('session_end', { session_id: 's', reason: 'clear' })?.reason).toBe('clear')
  })

  it('whatever else it holds: what is of another kind is not there', () => {
    for (const one of HOOK_HARNESSES)
      expect(one.call('prompt', { prompt: 7, session_id: null, cwd: ['/'], workspace_roots: 'x', ctx: 'y', event: [] })).toEqual({
        harness: one.name,
        event: 'prompt',
      })
  })

  it('but not that of a subagent, nor of another harness that runs the same configuration', () => {
    expect(harness('claude-code').call('prompt', { session_id: 's', agent_id: 'a1', prompt: 'x' })).toBeUndefined()
    expect(harness('claude-code').call('prompt', { session_id: 's', cursor_version: '3.20', prompt: 'x' })).toBeUndefined()
    expect(harness('codex').call('stop', { session_id: 's', agent_id: 'a1' })).toBeUndefined()
    expect(harness('openclaw').call('prompt', { sessionKey: 'agent:main:subagent:u1', prompt: 'x' })).toBeUndefined()
    expect(harness('opencode').call('prompt', { sessionID: 's', parentID: 'p', prompt: 'x' })).toBeUndefined()
    expect(harness('cursor').call('prompt', { conversation_id: 's', parent_conversation_id: 'p', prompt: 'x' })).toBeUndefined()
  })
})

describe('the answer has the form that the harness takes', () => {
  const words = { context: '<m>', notice: 'told' }
  it.each([
    ['claude-code', { hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: '<m>' }, systemMessage: 'told' }],
    ['codex', { hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: '<m>' }, systemMessage: 'told' }],
    ['gemini-cli', { hookSpecificOutput: { hookEventName: 'BeforeAgent', additionalContext: '<m>' }, systemMessage: 'told' }],
    ['cursor', { continue: true, additional_context: expect.stringMatching(/^<m>\n<mnemonic-memory.*told\n<\/mnemonic-memory>$/s) }],
    ['openclaw', { additionalContext: expect.stringMatching(/^<m>\n<mnemonic-memory.*told/s) }],
    ['opencode', { additionalContext: expect.stringMatching(/^<m>\n<mnemonic-memory.*told/s) }],
  ])('of %s', (name, expected) => {
    expect(JSON.parse(harness(name).answer('prompt', words))).toEqual(expected)
  })

  it('of a start without a notice, and of a notice alone', () => {
    expect(JSON.parse(harness('claude-code').answer('session_start', { context: 'c' }))).toEqual({
      hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: 'c' },
    })
    expect(JSON.parse(harness('codex').answer('session_start', { context: '', notice: 'n' }))).toEqual({ systemMessage: 'n' })
    expect(JSON.parse(harness('cursor').answer('session_start', { context: 'c' }))).toEqual({ additional_context: 'c' })
  })

  it.each([
    ['claude-code', 'before_tool', { hookSpecificOutput: { hookEventName: 'PreToolUse', additionalContext: 'c' } }],
    ['claude-code', 'tool_failed', { hookSpecificOutput: { hookEventName: 'PostToolUseFailure', additionalContext: 'c' } }],
    ['codex', 'before_tool', { hookSpecificOutput: { hookEventName: 'PreToolUse', additionalContext: 'c' } }],
    ['codex', 'tool_failed', { hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: 'c' } }],
    ['gemini-cli', 'tool_failed', { hookSpecificOutput: { hookEventName: 'AfterTool', additionalContext: 'c' } }],
    ['cursor', 'tool_failed', { additional_context: 'c' }],
    ['opencode', 'tool_failed', { additionalContext: 'c' }],
  ] as const)('of %s at %s, without a word on whether the tool may run', (name, event, expected) => {
    expect(JSON.parse(harness(name).answer(event, { context: 'c' }))).toEqual(expected)
  })

  it('and nothing where the moment takes nothing: a stop hook that speaks would make the agent go on', () => {
    const silent: readonly HookEvent[] = ['stop', 'session_end', 'pre_compact']
    for (const one of HOOK_HARNESSES) for (const event of silent) expect(one.answer(event, words)).toBe('')
  })
})

describe('an event', () => {
  it('is known by our name and by the harness’s own', () => {
    for (const one of HOOK_HARNESSES)
      for (const event of HOOK_EVENTS) {
        const own = one.events[event]
        expect(hookEvent(one, event)).toBe(own === undefined ? undefined : event)
        expect(hookEvent(one, event.replace('_', '-'))).toBe(own === undefined ? undefined : event)
        if (own !== undefined) expect(hookEvent(one, own)).toBe(event)
      }
    expect(hookEvent(harness('codex'), 'SubagentStop')).toBeUndefined()
    expect(hookEvent(harness('claude-code'), 'PostToolUse')).toBeUndefined()
  })
})
