import { describe, expect, it } from 'vitest'
import { sha256 } from '../../../core/hash.ts'
import { toolResult } from './tool-result.ts'

const stored = (content: unknown, extra?: unknown) =>
  JSON.parse(toolResult({ block: { type: 'tool_result', content }, callId: 'c1', extra }).result) as Record<string, unknown>

describe('toolResult', () => {
  it('keeps the content as the source gives it', () => {
    expect(stored('plain')).toEqual({ content: 'plain' })
    expect(stored([{ type: 'text', text: 'a' }])).toEqual({ content: [{ type: 'text', text: 'a' }] })
  })

  it('does not say an output a second time, whatever whitespace ends it', () => {
    expect(stored('a\nb', { stdout: 'a\nb\n', stderr: '', interrupted: false, returnCode: 3 })).toEqual({
      content: 'a\nb',
      toolUseResult: { returnCode: 3 },
    })
    expect(stored('boom', 'Error: boom')).toEqual({ content: 'boom' })
  })

  it('keeps an output that the content does not hold', () => {
    expect(stored('ok', { stdout: 'something else' })).toEqual({ content: 'ok', toolUseResult: { stdout: 'something else' } })
  })

  it('short facts stay, even where the content has the same word', () => {
    expect(stored('status: completed', { status: 'completed' })).toMatchObject({ toolUseResult: { status: 'completed' } })
  })

  it('a file that was read is stored once, with its line numbers', () => {
    const extra = { type: 'text', file: { filePath: 'a.ts', content: 'x\ny', numLines: 2 } }
    expect(stored('     1→x\n     2→y', extra).toolUseResult).toEqual({ type: 'text', file: { filePath: 'a.ts', numLines: 2 } })
  })

  it('the file before an edit becomes its fingerprint; parameters of the call are not repeated; the patch stays', () => {
    const patch = [{ oldStart: 1, lines: ['-a', '+b'] }]
    const extra = { filePath: 'a.ts', oldString: 'a', newString: 'b', originalFile: 'aé', structuredPatch: patch, userModified: true }
    expect(stored('updated', extra).toolUseResult).toEqual({
      filePath: 'a.ts',
      originalFile: { sha256: sha256('aé'), bytes: 3 },
      structuredPatch: patch,
      userModified: true,
    })
  })

  it('pictures become their fingerprint, in content and beside it', () => {
    const data = Buffer.alloc(600, 7).toString('base64')
    const print = { sha256: sha256(Buffer.alloc(600, 7)), bytes: 600, media_type: 'image/png' }
    const content = [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data } }]
    const extra = { type: 'image', file: { base64: data, type: 'image/png', originalSize: 600 } }
    const result = stored(content, extra)
    expect(result.content).toEqual([{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: print } }])
    expect(result.toolUseResult).toEqual({ type: 'image', file: { base64: print, type: 'image/png', originalSize: 600 } })
  })

  it('names the subagent that the call started, and only where the harness does', () => {
    const block = { type: 'tool_result', content: 'agentId: poison01' }
    expect(toolResult({ block, callId: 'c', extra: { agentId: 'a12' } }).childSession).toBe('agent-a12')
    expect(toolResult({ block, callId: 'c' }).childSession).toBeUndefined()
  })
})
