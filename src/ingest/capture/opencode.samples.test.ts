import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { collectItems, fileReader, messagesOf, recordsOf, sessionsOf } from '../../../test/helpers/collect-items.ts'
import type { ReadItem } from '../adapter.ts'
import { opencode } from './opencode.ts'

const root = resolve('../shared/fixtures/other/opencode')
const present = existsSync(root)
if (!present) process.stderr.write('skipped: the public OpenCode samples are not on this machine\n')

const adapter = opencode()

async function readAll(): Promise<Map<string, readonly ReadItem[]>> {
  const read = new Map<string, readonly ReadItem[]>()
  for await (const { path } of adapter.discover({ path: root, warn: () => {}, reader: fileReader() }))
    read.set(relative(root, path), await collectItems(adapter, path))
  return read
}

// Independent reference parser.
interface Part {
  type: string
  text?: string
  synthetic?: boolean
  ignored?: boolean
  callID?: string
  tool?: string
  state?: { status: string; input: unknown; output?: string; error?: string }
}

function rawMessages(name: string): { id: string; role: string; mode?: string; parts: Part[] }[] {
  // In memory, so that the sample gains no sidecar files.
  const db = new Database(readFileSync(resolve(root, name)).fill(1, 18, 20))
  const parts = db.prepare('select message_id, data from part order by id').all() as { message_id: string; data: string }[]
  const messages = db.prepare('select id, data from message order by session_id, time_created, id').all() as { id: string; data: string }[]
  db.close()
  return messages.map(({ id, data }) => ({
    id,
    ...(JSON.parse(data) as { role: string }),
    parts: parts.filter((part) => part.message_id === id).map((part) => JSON.parse(part.data) as Part),
  }))
}

describe.skipIf(!present)('the public samples of OpenCode', async () => {
  const read = present ? await readAll() : new Map<string, readonly ReadItem[]>()
  const databases = [...read.keys()].filter((name) => name.endsWith('.db'))

  it('every database and every session of a tree is found and read', () => {
    expect([...read.keys()].sort()).toEqual([
      'agent-sessions/storage_legacy/message/s_stage0_drift/msg_0001.json',
      'agent-sessions/storage_v2/message/s_stage0_large/msg_0003.json',
      'agent-sessions/storage_v2/message/s_stage0_small/msg_0002.json',
      'agent-sessions/storage_v2/session/proj_test/ses_s_stage0_large.json',
      'linchen1987/opencode.db',
      'rungraph/opencode.db',
    ])
    for (const items of read.values()) {
      expect(items.filter((item) => item.type === 'bad_line')).toEqual([])
      expect(messagesOf(items).length).toBeGreaterThan(0)
    }
  })

  it('nothing stands beside the samples afterwards', () => {
    for (const name of databases) expect(readdirSync(resolve(root, name, '..'))).toEqual(['opencode.db'])
  })

  it('the text of every message is the text of the source, character by character', () => {
    let compared = 0
    for (const name of databases) {
      const told = new Map(messagesOf(read.get(name) ?? []).map((message) => [message.id, message]))
      for (const raw of rawMessages(name)) {
        const spoken = raw.parts.filter((part) => part.type === 'text' && !part.synthetic && !part.ignored)
        const message = told.get(raw.id)
        const text = spoken.map((part) => part.text).join('\n\n')
        if (message?.kind === 'notice') expect(text, raw.id).toBe('')
        else expect(message?.text, raw.id).toBe(text)
        if (text !== '' && raw.role === 'user') expect(message, raw.id).toMatchObject({ role: 'user', kind: 'prompt' })
        if (text !== '' && raw.role === 'assistant') expect(message?.kind).toBe(raw.mode === 'compaction' ? 'summary' : 'reply')
        compared += 1
      }
    }
    expect(compared).toBe(83)
  })

  it('every tool call is there with its parameters, and its result is what the source holds', () => {
    let calls = 0
    let results = 0
    for (const name of databases) {
      const messages = messagesOf(read.get(name) ?? [])
      const told = new Map(messages.flatMap((message) => message.toolCalls ?? []).map((call) => [call.id, call]))
      const given = new Map(messages.flatMap((message) => message.toolResults ?? []).map((result) => [result.callId, result]))
      for (const part of rawMessages(name).flatMap((message) => message.parts.filter(({ type }) => type === 'tool'))) {
        const { status, input, output, error } = part.state ?? { status: '', input: {} }
        expect(JSON.parse(told.get(part.callID ?? '')?.params ?? 'null')).toEqual(input)
        expect(told.get(part.callID ?? '')?.name).toBe(part.tool)
        calls += 1
        const result = given.get(part.callID ?? '')
        if (status === 'running' || status === 'pending') expect(result).toBeUndefined()
        else {
          expect(JSON.parse(result?.result ?? '{}').content).toBe(status === 'error' ? error : output)
          expect(result?.isError).toBe(status === 'error')
          results += 1
        }
      }
    }
    expect([calls, results]).toEqual([71, 70])
  })

  it('subagents, reverts and unknown parts are what the source says', () => {
    const items = read.get('rungraph/opencode.db') ?? []
    const subagents = sessionsOf(items).filter((session) => session.isSubagent)
    expect(subagents.map(({ session, parentSession }) => [session, parentSession])).toEqual([
      ['ses_fx7a00000000000child01', 'ses_fx7000000000000000task'],
      ['ses_fx7b00000000000child02', 'ses_fx7000000000000000task'],
      ['ses_fxe1000000000lanechild', 'ses_fxe0000000000revertlane'],
    ])
    expect(recordsOf(items).filter((record) => record.type === 'head')).toEqual([
      { type: 'head', session: 'ses_fx1000000000000revert', recordId: 'msg_fx00000046' },
      { type: 'head', session: 'ses_fxe0000000000revertlane', recordId: 'msg_fx00000061' },
    ])
    const unknown = items.flatMap((item) => (item.type === 'unknown' ? [item.name] : []))
    expect([...new Set(unknown)].sort()).toEqual(['part/flux-marker', 'part/turn-capsule'])
    expect(unknown).toHaveLength(31)
  })

  it('no file of another harness is claimed', () => {
    const others = resolve('../shared/fixtures')
    for (const name of readdirSync(others, { recursive: true, encoding: 'utf8' })) {
      if (name.startsWith('other/opencode') || !/\.(jsonl?|db|vscdb|sqlite)$/.test(name)) continue
      const head = readFileSync(resolve(others, name)).subarray(0, 64 << 10)
      expect(adapter.recognises(head, resolve(others, name)), name).toBe(false)
    }
  })
})
