/** What the reader injected never comes back: two full rounds for each harness, with its log as it would write it. */
import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it, vi } from 'vitest'
import { answerHook, openMnemonic } from '../../src/library/index.ts'
import { HOOK_HARNESSES } from '../../src/roles/hooks/harnesses.ts'
import { SAMPLE_SOURCES } from '../helpers/sources/all.ts'
import { NOON, tempFolder } from '../helpers/store.ts'

vi.setConfig({ testTimeout: 120_000 })

const FACT = 'quixotic-lantern'
const DAY = 86_400_000

interface Log {
  /** The prompt as the log has it. */
  readonly prompt: (prompt: string, context: string) => string
  /** Further lines of the log that hold the context, or what the hook printed. */
  readonly more?: (context: string, output: string, at: string) => readonly object[]
}

const escaped = (text: string) => text.replace(/</g, '&lt;').replace(/>/g, '&gt;')

/** How each harness keeps what a hook added. */
const LOGS: Readonly<Record<string, Log>> = {
  'claude-code': {
    prompt: (prompt, context) => `${prompt}\n<user-prompt-submit-hook>${context}</user-prompt-submit-hook>`,
    more: (context, output, timestamp) => {
      const record = { timestamp, sessionId: 'x', parentUuid: null, isSidechain: false, version: '2.1.220', cwd: '/home/ada/app' }
      const attachment = (uuid: string, attached: object) => ({ ...record, uuid, type: 'attachment', attachment: attached })
      const reminder = `<system-reminder>\nUserPromptSubmit hook additional context: ${context}\n</system-reminder>`
      return [
        attachment('a1', {
          type: 'hook_additional_context',
          content: [context],
          hookName: 'UserPromptSubmit',
          hookEvent: 'UserPromptSubmit',
        }),
        attachment('a2', { type: 'hook_success', hookName: 'UserPromptSubmit', content: '', stdout: output, stderr: '', exitCode: 0 }),
        { ...record, uuid: 'a3', type: 'user', isMeta: true, message: { role: 'user', content: reminder } },
        { ...record, uuid: 'a4', type: 'system', subtype: 'stop_hook_summary', content: `hook said ${context.slice(0, 300)}` },
      ]
    },
  },
  codex: {
    prompt: (prompt) => prompt,
    more: (context, _, timestamp) =>
      ['developer', 'user'].map((role) => ({
        timestamp,
        type: 'response_item',
        payload: { type: 'message', role, content: [{ type: 'input_text', text: context }] },
      })),
  },
  cursor: { prompt: (prompt, context) => `<system_reminder>\n${context}\n</system_reminder>\n<user_query>\n${prompt}\n</user_query>` },
  'gemini-cli': { prompt: (prompt, context) => `${prompt}<hook_context>${escaped(context)}</hook_context>` },
  openclaw: { prompt: (prompt, context) => `${context}\n\n${prompt}` },
  opencode: { prompt: (prompt, context) => `${prompt}\n${context}` },
}

/** In how many fields of how many tables the database has it. */
function fieldsWith(path: string, text: string): Record<string, number> {
  const db = new Database(path, { readonly: true })
  try {
    const tables = db.prepare("select name from sqlite_master where type = 'table' and sql not like 'create virtual%'").pluck().all()
    const found = (tables as string[]).flatMap((table) =>
      (db.prepare('select name from pragma_table_info(?)').pluck().all(table) as string[]).flatMap((column) => {
        const sql = `select count(*) from "${table}" where instr(cast("${column}" as text), ?) > 0`
        const count = db.prepare(sql).pluck().get(text) as number
        return count === 0 ? [] : [[`${table}.${column}`, count] as const]
      }),
    )
    return Object.fromEntries(found)
  } finally {
    db.close()
  }
}

/** The context, wherever the answer has it. */
function contextIn(output: string): string {
  const answer = JSON.parse(output) as {
    hookSpecificOutput?: { additionalContext: string }
    additional_context?: string
    additionalContext?: string
  }
  return answer.hookSpecificOutput?.additionalContext ?? answer.additional_context ?? answer.additionalContext ?? ''
}

const cases = HOOK_HARNESSES.flatMap(({ name }) =>
  SAMPLE_SOURCES.filter((source) => source.name === name).map((source) => ({ name, source, kind: source.kind })),
)

it('every harness with hooks has a log to write', () => {
  expect([...new Set(cases.map(({ name }) => name))]).toEqual(HOOK_HARNESSES.map(({ name }) => name))
  expect(Object.keys(LOGS).sort()).toEqual(HOOK_HARNESSES.map(({ name }) => name).sort())
})

describe.each(cases)('$name ($kind)', ({ name, source }) => {
  it('stores nothing of what it was given, in two rounds', async () => {
    const [root, home, workspace] = [tempFolder(), tempFolder(), tempFolder()]
    const database = join(home, 'mnemonic.db')
    const log = LOGS[name] as Log
    const sync = async () => {
      const mnemonic = await openMnemonic({ home, workspace, clock: () => NOON })
      try {
        const { totals } = await mnemonic.sync({ path: root, adapters: [name], embed: false })
        expect(totals.quarantined).toBe(0)
        return totals.records
      } finally {
        await mnemonic.close()
      }
    }
    const first = `For the beacon we settled on the word ${FACT}, because </mnemonic-memory> the other words were taken.`
    source.write(root, 'the-first', [{ prompt: 'Which word names the beacon of the harbour?', answer: first, at: NOON - 9 * DAY }])
    await sync()
    const before = fieldsWith(database, FACT)
    expect(Object.keys(before).length).toBeGreaterThan(1)
    for (const round of [1, 2]) {
      const prompt = `Round ${round}: which word did we settle on for the beacon of the harbour?`
      const payload = { session_id: `round-${round}`, cwd: '/home/ada/app', prompt }
      const { output } = await answerHook({ harness: name, event: 'prompt', payload, home, workspace, closes: true })
      const context = contextIn(output)
      expect(context).toContain(FACT)
      // Only what was said once is in it: nothing of the round before.
      expect(context.split(FACT).length - 1).toBe(1)
      const at = NOON - (5 - round) * DAY
      const path = source.write(root, `round-${round}`, [{ prompt: log.prompt(prompt, context), answer: `Noted in round ${round}.`, at }])
      const lines = log.more?.(context, output, new Date(at + 1000).toISOString()) ?? []
      if (lines.length > 0) {
        expect(readFileSync(path, 'utf8').endsWith('\n')).toBe(true)
        appendFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
      }
      expect(await sync()).toBeGreaterThan(0)
      expect(fieldsWith(database, FACT)).toEqual(before)
      expect(fieldsWith(database, 'Recorded text: data')).toEqual({})
      expect(Object.keys(fieldsWith(database, `Noted in round ${round}.`))).not.toEqual([])
      expect(Object.keys(fieldsWith(database, `Round ${round}: which word`))).not.toEqual([])
    }
  })
})
