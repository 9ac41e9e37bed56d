import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { collectItems, messagesOf, sessionsOf } from '../../../test/helpers/collect-items.ts'
import { transcriptLines, writeTranscript } from '../../../test/helpers/sources/cursor.ts'
import { tempFolder } from '../../../test/helpers/store.ts'
import { cursor } from './cursor.ts'

const ID = 'dddddddd-1111-4111-8111-000000000004'
const CHILD = 'eeeeeeee-1111-4111-8111-000000000005'
const TIME = Date.UTC(2026, 6, 1)

const adapter = cursor({ paths: [] })
const read = (path: string) => collectItems(adapter, path)
const line = (role: string, ...content: unknown[]) => ({ role, message: { content } })
const text = (value: string) => ({ type: 'text', text: value })
const call = (name: string, input: object, more = {}) => ({ type: 'tool_use', name, input, ...more })

describe('an agent transcript', () => {
  it('gives what a person typed, without its wrapping and the context around it', async () => {
    const context = '<attached_files>\nsecret plans\n</attached_files>\n'
    const path = writeTranscript(tempFolder(), ID, [
      line('user', text(`${context}<user_query>\n  fix <b> & "it"\n</user_query>`)),
      line('user', text('<user_info>\nOS: linux\n</user_info>\n\n<rules>none</rules>')),
      line('user', text('typed without any tag')),
      line('user', text('<system_reminder>mind</system_reminder>\nafter a reminder')),
    ])
    expect(messagesOf(await read(path)).map(({ role, kind, text: said, trust }) => [role, kind, said, trust])).toEqual([
      ['user', 'prompt', 'fix <b> & "it"', 'owner'],
      ['system', 'meta', '<user_info>\nOS: linux\n</user_info>\n\n<rules>none</rules>', 'untrusted'],
      ['user', 'prompt', 'typed without any tag', 'owner'],
      ['user', 'prompt', 'after a reminder', 'owner'],
    ])
    expect(messagesOf(await read(path))[0]?.metadata?.envelopes).toEqual([context.trim()])
  })

  it('gives calls, and joins a result to the call it must belong to', async () => {
    const path = writeTranscript(tempFolder(), ID, [
      line('user', text('go')),
      line('assistant', text('Reading.'), call('Read', { path: '/a' }), call('Grep', { pattern: 'x' })),
      line('user', { type: 'tool_result', tool_use_id: 't1', content: [text('file a')] }),
      line('user', { type: 'tool-result', name: 'Grep', content: 'found', isError: true }),
      line('assistant', call('Shell', { command: 'ls' }, { id: 'named' })),
      line('user', { type: 'tool_result', tool_use_id: 'named', content: 'out' }),
    ])
    const messages = messagesOf(await read(path))
    const calls = messages.flatMap(({ toolCalls }) => toolCalls ?? [])
    const results = messages.flatMap(({ toolResults }) => toolResults ?? [])
    expect(calls.map(({ name, params }) => [name, params])).toEqual([
      ['Read', '{"path":"/a"}'],
      ['Grep', '{"pattern":"x"}'],
      ['Shell', '{"command":"ls"}'],
    ])
    expect(results.map(({ callId, isError }) => [callId, isError])).toEqual([
      [calls[0]?.id, false],
      [calls[1]?.id, true],
      ['named', false],
    ])
    expect(messages.filter(({ role }) => role === 'tool').length).toBe(3)
  })

  it('where thoughts were taken out, the word that stands for them is no speech', async () => {
    const path = writeTranscript(tempFolder(), ID, [
      line('assistant', text('[REDACTED]')),
      line('assistant', text('I looked.\n\n[REDACTED]')),
      line('assistant', text('he said [REDACTED] twice')),
    ])
    expect(messagesOf(await read(path)).map(({ text: said }) => said)).toEqual(['', 'I looked.', 'he said [REDACTED] twice'])
  })

  it('has the file’s time, and says so; names do not depend on it', async () => {
    const lines = transcriptLines([
      { prompt: 'hi', answer: 'hello', at: 0 },
      { prompt: 'hi', answer: 'again', at: 0 },
    ])
    const path = writeTranscript(tempFolder(), ID, lines)
    utimesSync(path, new Date(TIME), new Date(TIME))
    const before = messagesOf(await read(path))
    expect(before.map(({ timestamp, metadata }) => [timestamp, metadata?.time_from])).toEqual(Array(4).fill([TIME, 'file']))
    expect(new Set(before.map(({ id }) => id)).size).toBe(4)
    utimesSync(path, new Date(TIME + 9), new Date(TIME + 9))
    expect(messagesOf(await read(path)).map(({ id, hash }) => [id, hash])).toEqual(before.map(({ id, hash }) => [id, hash]))
  })

  it('the same words in two sessions have two names, also in two files of one name', async () => {
    const paths = ['x', 'y'].map((folder) => join(tempFolder(), folder, 'notes.jsonl'))
    for (const [n, path] of paths.entries()) {
      mkdirSync(dirname(path))
      writeFileSync(
        path,
        [line('user', text(`file ${n}`)), line('user', text('continue'))].map((one) => `${JSON.stringify(one)}\n`).join(''),
      )
    }
    const ids = (await Promise.all(paths.map(read))).map((items) => messagesOf(items).at(-1)?.id)
    expect(ids[0]).not.toBe(ids[1])
  })

  it('a file below subagents belongs to the session above it', async () => {
    const root = tempFolder()
    const parent = writeTranscript(root, ID, [line('user', text('go'))])
    const path = join(dirname(parent), 'subagents', `${CHILD}.jsonl`)
    mkdirSync(dirname(path))
    writeFileSync(path, `${JSON.stringify(line('user', text('<user_query>\nlook\n</user_query>')))}\n`)
    const items = await read(path)
    expect(sessionsOf(items)).toMatchObject([{ session: CHILD, isSubagent: true, parentSession: ID }])
    expect(messagesOf(items)[0]).toMatchObject({ role: 'user', trust: 'agent', speaker: 'agent', text: 'look' })
  })

  it('an error is a notice, a bad line is counted, an unknown block or line is named, a half-written end waits', async () => {
    const path = writeTranscript(tempFolder(), ID, [line('user', text('go')), { type: 'error', error: 'timeout' }, { type: 'new_thing' }])
    writeFileSync(path, `${JSON.stringify(line('assistant', { type: 'odd', text: 'x' }))}\nnot json\n{"role":"assistant","mess`, {
      flag: 'a',
    })
    const items = await read(path)
    expect(messagesOf(items).map(({ kind, text: said }) => [kind, said])).toEqual([
      ['prompt', 'go'],
      ['notice', 'timeout'],
      ['reply', ''],
    ])
    expect(items.filter((item) => item.type === 'unknown').map(({ name }) => name)).toEqual(['new_thing', 'block odd'])
    expect(items.filter((item) => item.type === 'bad_line')).toEqual([{ type: 'bad_line', line: 5, reason: 'not JSON' }])
  })

  it('of the first versions is plain text, whatever its name ends with', async () => {
    const lines = [
      ...['user:', '<user_query>', 'Which port?', '', 'user: is a word here', '</user_query>', ''],
      ...['assistant:', '[Thinking] I should look.', '', 'Let me look.', '[Tool call] Read', '  path: /a.toml', '  limit: 5', ''],
      ...['[Tool result] Read', 'port = 1', '', 'host = x', '', 'assistant:', 'Port 1.', '', 'Anything else?', ''],
    ]
    for (const end of ['txt', 'jsonl']) {
      const path = join(tempFolder(), 'agent-transcripts', `${ID}.${end}`)
      mkdirSync(dirname(path))
      writeFileSync(path, lines.join('\n'))
      const items = await read(path)
      expect(messagesOf(items).map(({ role, kind, text: said }) => [role, kind, said])).toEqual([
        ['user', 'prompt', 'Which port?\n\nuser: is a word here'],
        ['assistant', 'reply', 'Let me look.'],
        ['tool', 'tool_result', ''],
        ['assistant', 'reply', 'Port 1.\n\nAnything else?'],
      ])
      const messages = messagesOf(items)
      expect(messages[1]?.toolCalls).toMatchObject([{ name: 'Read', params: '{"path":"/a.toml","limit":"5"}' }])
      expect(messages[1]?.blocks?.[0]).toEqual({ type: 'thinking', thinking: 'I should look.' })
      expect(JSON.parse(messages[2]?.toolResults?.[0]?.result ?? '{}').content).toEqual([{ type: 'text', text: 'port = 1\n\nhost = x' }])
      expect(messages[2]?.toolResults?.[0]?.callId).toBe(messages[1]?.toolCalls?.[0]?.id)
      expect(adapter.recognises(Buffer.from(lines.join('\n')), path)).toBe(true)
      expect(adapter.recognises(Buffer.from(lines.join('\n')), '/notes/a.txt')).toBe(false)
      expect(items.at(-1)).toMatchObject({ type: 'checkpoint' })
    }
  })

  it('other JSON lines are not this format', async () => {
    const path = join(tempFolder(), 'x.jsonl')
    writeFileSync(path, '{"role":"user","content":"plain"}\n')
    await expect(read(path)).rejects.toMatchObject({ code: 'NOT_THIS_FORMAT' })
    writeFileSync(path, Buffer.from([0xff, 0xfe, 0x0a]))
    await expect(read(path)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  })

  it('only lines with a role and a message, and no type, are recognised', () => {
    const head = (value: unknown) => Buffer.from(`${JSON.stringify(value)}\n`)
    expect(adapter.recognises(head(line('user', text('x'))), 'a.jsonl')).toBe(true)
    expect(adapter.recognises(head({ type: 'user', message: { role: 'user', content: 'x' }, uuid: '1' }), 'a.jsonl')).toBe(false)
    expect(adapter.recognises(head({ role: 'user', content: 'x' }), 'a.jsonl')).toBe(false)
    expect(adapter.recognises(head({ type: 'message', message: { role: 'user', content: [] } }), 'a.jsonl')).toBe(false)
    expect(adapter.recognises(head({ type: 'error', error: 'x' }), 'a.jsonl')).toBe(false)
    expect(adapter.recognises(head(line('user', text('x'))), 'a.txt')).toBe(false)
  })
})
