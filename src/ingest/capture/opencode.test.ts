import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import {
  collectItems,
  fileReader,
  lastCheckpoint,
  messagesOf,
  recordsOf,
  sessionsOf,
  titlesOf,
} from '../../../test/helpers/collect-items.ts'
import { ANSWERED, ASKED, opencodeSource, openOpencode, putMessage, putSession } from '../../../test/helpers/sources/opencode.ts'
import { NOON, tempFolder, tempStore } from '../../../test/helpers/store.ts'
import { given } from '../../core/given.ts'
import type { AgentRecord, HeadRecord } from '../../ledgers/agent-record.ts'
import { syncSources } from '../sync.ts'
import { opencode } from './opencode.ts'

const T = 1_770_000_000_000

interface Sample {
  readonly path: string
  change(work: (db: Database.Database) => void): void
}

/** A database with the session `ses_a`, filled by `fill`. */
function sample(fill: (db: Database.Database) => void, session: Partial<Parameters<typeof putSession>[1]> = {}): Sample {
  const folder = tempFolder()
  const change = (work: (db: Database.Database) => void) => {
    const db = openOpencode(folder)
    work(db)
    db.close()
  }
  change((db) => {
    putSession(db, { id: 'ses_a', created: T, updated: T, ...session })
    fill(db)
  })
  return { path: join(folder, 'opencode.db'), change }
}

const ask = (id: string, text: string, at = T) => ({ id, session: 'ses_a', at, data: ASKED, parts: [{ type: 'text', text }] })
const answer = (id: string, parts: readonly Record<string, unknown>[], at = T, data: Record<string, unknown> = {}) => ({
  id,
  session: 'ses_a',
  at,
  data: { ...ANSWERED, ...data },
  parts,
})
const said = (id: string, text: string, at = T) => answer(id, [{ type: 'text', text }], at)
const headsOf = (records: readonly AgentRecord[]) => records.filter((record): record is HeadRecord => record.type === 'head')

const adapter = opencode()

describe('a database of OpenCode', () => {
  it('gives a session, its title and its messages, each behind the one before', async () => {
    const { path } = sample((db) => {
      putMessage(db, ask('msg_1', 'Where do the beans go?'))
      putMessage(db, said('msg_2', 'Beside the maize.', T + 1))
    })
    const items = await collectItems(adapter, path)
    expect(sessionsOf(items)).toMatchObject([{ session: 'ses_a', project: '/home/ada/garden', workspacePath: '/home/ada/garden' }])
    expect(titlesOf(items)).toEqual([{ type: 'title', session: 'ses_a', title: 'About the garden', rank: 3 }])
    expect(messagesOf(items)).toMatchObject([
      { id: 'msg_1', role: 'user', kind: 'prompt', trust: 'owner', text: 'Where do the beans go?', timestamp: T, replaces: true },
      { id: 'msg_2', role: 'assistant', kind: 'reply', text: 'Beside the maize.', parent: 'msg_1', model: 'glm-5' },
    ])
    expect(messagesOf(items)[0]).not.toHaveProperty('parent')
  })

  it('a title that OpenCode gives at birth is none, and a session without messages is not told', async () => {
    const born = sample((db) => putMessage(db, ask('msg_1', 'Hello?')), { title: 'New session - 2026-02-13T12:54:04.006Z' })
    expect(titlesOf(await collectItems(adapter, born.path))).toEqual([])
    const empty = await collectItems(adapter, sample(() => {}).path)
    expect(recordsOf(empty)).toEqual([])
    expect(empty.find((item) => item.type === 'warning')).toBeDefined()
  })

  it('text that is synthetic or ignored is no speech; alone it is meta', async () => {
    const { path } = sample((db) => {
      putMessage(db, {
        ...ask('msg_1', ''),
        parts: [
          { type: 'text', text: 'Plant them.' },
          { type: 'text', text: 'You are in plan mode.', synthetic: true },
          { type: 'text', text: 'Quota: 3 left', ignored: true },
        ],
      })
      putMessage(db, { ...ask('msg_2', '', T + 1), parts: [{ type: 'text', text: 'Continue if you have next steps', synthetic: true }] })
    })
    const [prompt, injected] = messagesOf(await collectItems(adapter, path))
    expect(prompt).toMatchObject({ role: 'user', kind: 'prompt', text: 'Plant them.' })
    expect(JSON.stringify(prompt?.blocks)).toContain('plan mode')
    expect(injected).toMatchObject({ role: 'system', kind: 'meta', trust: 'untrusted', text: 'Continue if you have next steps' })
  })

  it('tools have parameters, results and errors; one that runs has no result yet, and is replaced when it ends', async () => {
    const tool = (callID: string, name: string, state: unknown) => ({ type: 'tool', callID, tool: name, state })
    const running = tool('c1', 'bash', { status: 'running', input: { command: 'ls' }, time: { start: T } })
    const ended = tool('c1', 'bash', { status: 'completed', input: { command: 'ls' }, output: 'beans', metadata: { exit: 1 } })
    const rest = [
      tool('c2', 'edit', { status: 'error', input: {}, error: 'no such file' }),
      tool('c3', 'invalid', { status: 'completed', input: { tool: 'x' }, output: 'unknown tool' }),
      tool('c4', 'task', { status: 'completed', input: { prompt: 'look' }, output: 'done', metadata: { sessionId: 'ses_child' } }),
    ]
    const { path, change } = sample((db) => putMessage(db, answer('msg_1', [running, ...rest])))
    const first = await collectItems(adapter, path)
    expect(messagesOf(first)[0]?.toolCalls?.map((call) => [call.id, call.name])).toEqual([
      ['c1', 'bash'],
      ['c2', 'edit'],
      ['c3', 'invalid'],
      ['c4', 'task'],
    ])
    const results = messagesOf(first)[0]?.toolResults ?? []
    expect(results.map(({ callId, isError, childSession }) => [callId, isError, childSession])).toEqual([
      ['c2', true, undefined],
      ['c3', true, undefined],
      ['c4', false, 'ses_child'],
    ])
    change((db) => putMessage(db, { ...answer('msg_1', [ended, ...rest]), updated: T + 9 }))
    const again = await collectItems(adapter, path, { since: { offset: 0, carry: lastCheckpoint(first)?.carry } })
    expect(messagesOf(again)).toHaveLength(1)
    expect(messagesOf(again)[0]?.hash).not.toBe(messagesOf(first)[0]?.hash)
    expect(JSON.parse(messagesOf(again)[0]?.toolResults?.[0]?.result ?? '')).toEqual({ content: 'beans', metadata: { exit: 1 } })
  })

  it('what an edit and an attached picture hold in bulk becomes a fingerprint', async () => {
    const text = 'all the beans of the garden\n'.repeat(40)
    const state = {
      status: 'completed',
      input: {},
      output: text,
      metadata: { preview: text, filediff: { before: text, after: `${text}x`, additions: 1 } },
    }
    const { path } = sample((db) => {
      putMessage(db, {
        ...ask('msg_1', 'See'),
        parts: [{ type: 'file', mime: 'image/png', url: `data:image/png;base64,${'QUJD'.repeat(200)}` }],
      })
      putMessage(db, answer('msg_2', [{ type: 'tool', callID: 'c', tool: 'edit', state }], T + 1))
    })
    const [prompt, edit] = messagesOf(await collectItems(adapter, path))
    expect(prompt).toMatchObject({ kind: 'prompt', blocks: [{ type: 'file', url: { bytes: 600, media_type: 'image/png' } }] })
    const { content, metadata } = JSON.parse(edit?.toolResults?.[0]?.result ?? '')
    expect(content).toBe(text)
    expect(metadata).toEqual({
      preview: { in_content: true },
      filediff: { before: expect.objectContaining({ bytes: text.length }), after: expect.anything(), additions: 1 },
    })
  })

  it('reasoning, patches and unknown parts are kept; unknown ones are counted; a bad row is a bad line', async () => {
    const { path, change } = sample((db) =>
      putMessage(
        db,
        answer('msg_1', [
          { type: 'reasoning', text: 'Hm.' },
          { type: 'patch', hash: 'ab', files: ['/a'] },
          { type: 'capsule', n: 1 },
        ]),
      ),
    )
    change((db) => {
      db.prepare("insert into part values ('prt_x', 'msg_1', 'ses_a', ?, ?, '{broken')").run(T, T)
      db.prepare("insert into message values ('msg_2', 'ses_a', ?, ?, '[]')").run(T + 1, T + 1)
      putMessage(db, said('msg_3', 'Still here.', T + 2))
    })
    const items = await collectItems(adapter, path)
    expect(messagesOf(items)[0]?.blocks).toEqual([
      { type: 'reasoning', text: 'Hm.' },
      { type: 'patch', hash: 'ab', files: ['/a'] },
      { type: 'capsule', n: 1 },
    ])
    expect(items.filter((item) => item.type === 'unknown')).toEqual([{ type: 'unknown', name: 'part/capsule' }])
    expect(items.filter((item) => item.type === 'bad_line')).toHaveLength(2)
    expect(messagesOf(items).map(({ id }) => id)).toEqual(['msg_1', 'msg_3'])
  })

  it('calls of one name, as models that only count give them, stay as many as they are', async () => {
    const tool = (callID: string, output: string) => ({
      type: 'tool',
      tool: 'bash',
      callID,
      state: { status: 'completed', input: {}, output },
    })
    const { path } = sample((db) => {
      putMessage(db, ask('msg_1', 'Look twice'))
      putMessage(db, answer('msg_2', [tool('functions.bash:0', 'one'), tool('toolu_01Zq', 'two'), tool('toolu_01Zq', 'three')], T + 1))
      putMessage(db, answer('msg_3', [tool('functions.bash:0', 'four')], T + 2))
    })
    const replies = messagesOf(await collectItems(adapter, path))
    const calls = replies.flatMap(({ toolCalls = [] }) => toolCalls.map(({ id }) => id))
    expect(new Set(calls).size).toBe(4)
    expect(calls[1]).toBe('toolu_01Zq')
    expect(replies.flatMap(({ toolResults = [] }) => toolResults.map(({ callId }) => callId))).toEqual(calls)
    expect(replies[1]?.blocks?.[0]).toMatchObject({ type: 'tool_use', id: calls[0], call_id: 'functions.bash:0' })
  })

  it('a compaction is a summary with its trigger; a failed answer is a notice', async () => {
    const { path } = sample((db) => {
      putMessage(db, { ...ask('msg_1', ''), parts: [{ type: 'compaction', auto: true }] })
      putMessage(
        db,
        answer('msg_2', [{ type: 'text', text: 'So far: beans.' }], T + 1, { summary: true, parentID: 'msg_1', tokens: { input: 90 } }),
      )
      putMessage(db, answer('msg_3', [], T + 2, { error: { name: 'MessageAbortedError', data: { message: 'Aborted' } } }))
    })
    expect(messagesOf(await collectItems(adapter, path))).toMatchObject([
      { role: 'system', kind: 'notice', text: '' },
      { role: 'system', kind: 'summary', text: 'So far: beans.', model: 'glm-5', compaction: { trigger: 'auto', tokensBefore: 90 } },
      { role: 'system', kind: 'notice', text: 'Aborted', metadata: { error: { name: 'MessageAbortedError' } } },
    ])
  })

  it('a subagent belongs to its parent, and its prompts are the agent’s', async () => {
    const { path } = sample((db) => putMessage(db, ask('msg_1', 'Map the beds.')), { parent: 'ses_top' })
    const items = await collectItems(adapter, path)
    expect(sessionsOf(items)).toMatchObject([{ isSubagent: true, parentSession: 'ses_top' }])
    expect(messagesOf(items)).toMatchObject([{ role: 'user', kind: 'prompt', speaker: 'agent', trust: 'agent' }])
  })

  it('our own memory and private text never become records', async () => {
    const { path } = sample((db) =>
      putMessage(db, ask('msg_1', 'Plant <private>4711</private>beans<mnemonic-memory v="1">old news</mnemonic-memory>')),
    )
    expect(messagesOf(await collectItems(adapter, path))[0]?.text).toBe('Plant beans')
  })

  it('the second storage format gives the same kinds of records', async () => {
    const { path } = sample((db) => {
      db.exec(
        'create table session_message (id text primary key, session_id text, type text, seq integer, time_created, time_updated, data text)',
      )
      const put = db.prepare("insert into session_message values (?, 'ses_a', ?, ?, 0, 0, ?)")
      const rows: [string, unknown][] = [
        ['user', { text: 'Which bed?', files: [{ uri: 'file:///beds.txt' }], time: { created: T } }],
        [
          'assistant',
          {
            agent: 'build',
            model: { id: 'glm-5', providerID: 'zhipuai' },
            content: [
              { type: 'reasoning', id: 'r', text: 'Hm.' },
              {
                type: 'tool',
                id: 'c1',
                name: 'read',
                state: { status: 'completed', input: { path: 'b' }, content: [{ type: 'text', text: 'north' }] },
              },
              { type: 'text', id: 't', text: 'The north bed.' },
            ],
            time: { created: T + 1 },
          },
        ],
        ['synthetic', { text: 'Remember the plan.', time: { created: T + 2 } }],
        ['shell', { callID: 's1', command: 'ls', output: 'beans', time: { created: T + 3, completed: T + 4 } }],
        ['agent-switched', { agent: 'plan', time: { created: T + 5 } }],
        ['compaction', { reason: 'manual', summary: 'Beans go north.', recent: '', time: { created: T + 6 } }],
        ['novelty', {}],
      ]
      for (const [n, [type, data]] of rows.entries()) put.run(`msg_${n}`, type, n, JSON.stringify(data))
    })
    const items = await collectItems(adapter, path)
    expect(messagesOf(items)).toMatchObject([
      { role: 'user', kind: 'prompt', text: 'Which bed?' },
      { role: 'assistant', kind: 'reply', text: 'The north bed.', model: 'glm-5', toolResults: [{ callId: 'c1', isError: false }] },
      { role: 'system', kind: 'meta', text: 'Remember the plan.' },
      { role: 'system', kind: 'command', text: '! ls', toolResults: [{ callId: 's1' }] },
      { role: 'system', kind: 'notice', text: 'agent: plan' },
      { role: 'system', kind: 'summary', text: 'Beans go north.', compaction: { trigger: 'manual' } },
    ])
    expect(items.filter((item) => item.type === 'unknown')).toEqual([{ type: 'unknown', name: 'message/novelty' }])
  })
})

describe('reading a database again', () => {
  it('gives nothing of a session that did not change, and of one that did only the messages that did', async () => {
    const { path, change } = sample((db) => {
      for (let n = 0; n < 5; n++) putMessage(db, ask(`msg_${n}`, `Question ${n}`, T + n))
      putSession(db, { id: 'ses_b', created: T, updated: T })
      putMessage(db, { ...ask('msg_b', 'Elsewhere'), session: 'ses_b' })
    })
    const first = await collectItems(adapter, path)
    const since = { offset: 0, carry: JSON.parse(JSON.stringify(lastCheckpoint(first)?.carry)) }
    expect(recordsOf(await collectItems(adapter, path, { since }))).toEqual([])
    change((db) => putMessage(db, said('msg_5', 'One answer.', T + 10)))
    const again = await collectItems(adapter, path, { since })
    expect(messagesOf(again)).toMatchObject([{ id: 'msg_4' }, { id: 'msg_5', parent: 'msg_4' }])
    change((db) => putSession(db, { id: 'ses_b', created: T, updated: T + 1, title: 'Renamed' }))
    const renamed = await collectItems(adapter, path, { since: { offset: 0, carry: lastCheckpoint(again)?.carry } })
    expect(titlesOf(renamed)).toMatchObject([{ session: 'ses_b', title: 'Renamed' }])
  })

  it('a read that was cut off in the middle of a session begins that session again', async () => {
    const { path } = sample((db) => {
      for (let n = 0; n < 9; n++) putMessage(db, ask(`msg_${n}`, 'x'.repeat(20_000), T + n))
    })
    const items = await collectItems(adapter, path)
    const early = items.find((item) => item.type === 'checkpoint')
    expect(early).toMatchObject({ carry: { sessions: [] } })
    const again = await collectItems(adapter, path, { since: { offset: 0, carry: early?.carry } })
    expect(messagesOf(again)).toHaveLength(9)
  })

  it('a revert moves the head back, taking it back moves it forward, and what was removed is left behind', async () => {
    const { path, change } = sample((db) => {
      for (let n = 0; n < 4; n++)
        putMessage(db, n % 2 === 0 ? ask(`msg_${n}`, `Question ${n}`, T + n) : said(`msg_${n}`, `Answer ${n}`, T + n))
    })
    const first = await collectItems(adapter, path)
    expect(headsOf(recordsOf(first))).toEqual([])
    const session = { id: 'ses_a', created: T, updated: T + 20 }
    change((db) => putSession(db, { ...session, revert: { messageID: 'msg_2' } }))
    const second = await collectItems(adapter, path, { since: { offset: 0, carry: lastCheckpoint(first)?.carry } })
    expect(headsOf(recordsOf(second))).toEqual([{ type: 'head', session: 'ses_a', recordId: 'msg_1' }])
    change((db) => putSession(db, { ...session, updated: T + 30 }))
    const third = await collectItems(adapter, path, { since: { offset: 0, carry: lastCheckpoint(second)?.carry } })
    expect(headsOf(recordsOf(third))).toEqual([{ type: 'head', session: 'ses_a', recordId: 'msg_3' }])
    change((db) => {
      db.exec("delete from part where message_id in ('msg_2', 'msg_3'); delete from message where id in ('msg_2', 'msg_3')")
    })
    const fourth = await collectItems(adapter, path, { since: { offset: 0, carry: lastCheckpoint(third)?.carry } })
    expect(headsOf(recordsOf(fourth))).toEqual([{ type: 'head', session: 'ses_a', recordId: 'msg_1' }])
  })

  it('undone turns are superseded in the ledger, and a replaced answer is stored once', async () => {
    const { path, change } = sample((db) => {
      for (let n = 0; n < 4; n++)
        putMessage(db, n % 2 === 0 ? ask(`msg_${n}`, `Question ${n}`, T + n) : said(`msg_${n}`, `Answer ${n}`, T + n))
    })
    const store = await tempStore()
    const sync = () =>
      syncSources({
        store,
        adapters: [adapter],
        path,
        clock: () => NOON,
        quietMs: 1,
        ignore: () => false,
        guard: async () => {},
        afterGroup: async () => {},
      })
    await sync()
    change((db) => {
      putSession(db, { id: 'ses_a', created: T, updated: T + 20, revert: { messageID: 'msg_2' } })
      putMessage(db, { ...said('msg_1', 'A better answer.', T + 1), updated: T + 20 })
    })
    await sync()
    const turns = await store.read.selectFrom('agent_turns').select(['id', 'status']).orderBy('id').execute()
    expect(turns.map(({ status }) => status === 'superseded')).toEqual([false, true])
    const texts = await store.read.selectFrom('agent_messages').select('content').orderBy('sequence').execute()
    expect(texts.map(({ content }) => content)).toEqual(['Question 0', 'A better answer.', 'Question 2', 'Answer 3'])
  })
})

describe('finding OpenCode’s data', () => {
  it('the default paths follow XDG_DATA_HOME, the home folder and OPENCODE_DB', () => {
    expect(opencode({ env: {}, homedir: '/home/ada' }).defaultPaths()).toEqual([join('/home/ada', '.local', 'share', 'opencode')])
    expect(opencode({ env: { XDG_DATA_HOME: '/data' }, homedir: '/h' }).defaultPaths()).toEqual([join('/data', 'opencode')])
    expect(opencode({ env: { OPENCODE_DB: 'mine.db' }, homedir: '/h' }).defaultPaths()[1]).toBe(
      join('/h', '.local', 'share', 'opencode', 'mine.db'),
    )
  })

  it('databases of other channels are found, other databases are not; a renamed one is, under a path', async () => {
    const folder = tempFolder()
    opencodeSource.write(folder, 'ses_a', [{ prompt: 'a', answer: 'b', at: T }])
    for (const name of ['opencode-dev.db', 'auth.db', 'copy.db']) writeFileSync(join(folder, name), '')
    const renamed = tempFolder()
    opencodeSource.write(renamed, 'ses_a', [{ prompt: 'a', answer: 'b', at: T }])
    const names = async (path?: string) => {
      const found: string[] = []
      const asked = { warn: () => {}, reader: fileReader(), ...given({ path }) }
      for await (const unit of opencode({ paths: [folder] }).discover(asked)) found.push(unit.path)
      return found
    }
    expect(await names()).toEqual([join(folder, 'opencode-dev.db'), join(folder, 'opencode.db')])
    mkdirSync(join(renamed, 'deep'))
    renameSync(join(renamed, 'opencode.db'), join(renamed, 'deep', 'backup.db'))
    expect(await names(renamed)).toEqual([join(renamed, 'deep', 'backup.db')])
  })

  it('a database of something else is refused', async () => {
    const folder = tempFolder()
    const db = openOpencode(folder)
    db.exec('drop table part; drop table message')
    db.close()
    await expect(collectItems(adapter, join(folder, 'opencode.db'))).rejects.toMatchObject({ code: 'NOT_THIS_FORMAT' })
  })
})
