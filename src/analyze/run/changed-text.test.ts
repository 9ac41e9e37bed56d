/** If a source changes or withdraws text, the same sync removes everything derived from it. Every span must match its text. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { testHome } from '../../../test/helpers/home.ts'
import { llmServer } from '../../../test/helpers/llm-server.ts'
import { attributedBody } from '../../../test/helpers/typed-stream.ts'
import { markingModel, markOf, OWNER, plantUnderstood, wordOf } from '../../../test/helpers/understood-home.ts'
import { resultOf, type ToolCall } from '../../ledgers/deeds/result.ts'

async function understood() {
  const server = await llmServer(markingModel)
  const home = testHome()
  const sources = join(home.root, 'sources')
  mkdirSync(sources)
  plantUnderstood(sources)
  const config = { owner: { emails: [OWNER] }, analyze: { provider: 'openai-compatible' as const, model: 'm', base_url: server.url } }
  const mnemonic = await home.open({ config, clock: () => Date.UTC(2026, 3, 1) })
  const read = async () => {
    await mnemonic.sync({ path: join(sources, 'people'), adapters: ['contacts', 'imessage', 'gmail', 'calendar'], embed: false })
    await mnemonic.sync({ path: join(sources, 'code'), adapters: ['claude-code'], embed: false })
    await mnemonic.sync({ adapters: ['aix-events'], embed: false })
  }
  await read()
  expect(await mnemonic.analyze()).toMatchObject({ totals: { failed: 0 }, stopped: null })
  const rows = async (sql: string) => (await mnemonic.sql(sql, { limit: 10_000 })).rows as unknown[][]
  return { home, sources, mnemonic, read, rows }
}

const TABLES = [
  'analysis_runs',
  'episodes',
  'facets',
  'llm_answers',
  'relationships',
  'entities',
  'entity_aliases',
  'agent_turns',
  'events',
]

it('a message that was edited, or is gone from a session, takes what was made of it along at once', { timeout: 120_000 }, async () => {
  const { home, sources, mnemonic, read, rows } = await understood()
  const holding = async (word: string) => {
    const found: string[] = []
    for (const table of TABLES)
      for (const row of await rows(`select * from ${table}`)) {
        const text = JSON.stringify(row)
        if (text.includes(word) || text.includes(markOf(word))) found.push(table)
      }
    return [...new Set(found)]
  }
  expect(await holding(wordOf('said'))).toEqual(expect.arrayContaining(['analysis_runs', 'episodes', 'facets', 'llm_answers']))
  const source = new Database(join(sources, 'people', 'messages', 'chat.db'))
  source
    .prepare("update message set attributedBody = ?, date_edited = date + 1 where guid = 'said-1'")
    .run(attributedBody('I work elsewhere.'))
  source.close()
  await read()
  // The source keeps no older version, so the ledger keeps none.
  expect(await holding(wordOf('said'))).toEqual([])
  // Model results that read the text go too, and are recomputed.
  await mnemonic.analyze()
  const database = new Database(home.database)
  const [id] = database.prepare("select id from agent_messages where content like '%' || ? || '%'").pluck().all(wordOf('answered'))
  expect(await holding(wordOf('answered'))).toEqual(expect.arrayContaining(['analysis_runs', 'facets', 'llm_answers']))
  database.prepare("update agent_messages set content = 'Understood.' where id = ?").run(id)
  database.close()
  // Derived events follow.
  const runs = await rows(
    `select output_text, summary from episodes e left join analysis_runs r on r.episode_id = e.id where e.definition_id in ('agent_turn', 'agent_session')`,
  )
  expect(JSON.stringify(runs)).not.toMatch(new RegExp(`${wordOf('answered')}|${markOf(wordOf('answered'))}`))
  expect(await holding(wordOf('answered'))).not.toContain('facets')
})

it('every span is of the message that it names, and says what the row says', { timeout: 120_000 }, async () => {
  const { mnemonic, rows } = await understood()
  const texts = new Map(
    (await rows('select id, content from agent_messages union all select id, content from events')).map(([id, text]) => [
      id,
      String(text ?? ''),
    ]),
  )
  // A person's answer to a tool is in the call's result.
  for (const [id, result] of await rows('select result_message_id, result_json from agent_tool_calls where result_message_id is not null'))
    if (texts.get(id) === '') texts.set(id, resultOf({ result_json: String(result) } as ToolCall).text)
  const spans = {
    facets: 'select value, message_id, span_start, span_end from facets where span_start is not null',
    relationships: "select fact, message_id, span_start, span_end from relationships where source_type <> 'inferred'",
    entity_aliases: 'select value, message_id, span_start, span_end from entity_aliases where span_start is not null',
    mentions: 'select null, message_id, span_start, span_end from episode_entity_mentions',
    derived:
      "select content, metadata_json ->> '$.message', metadata_json ->> '$.span[0]', metadata_json ->> '$.span[1]' from events where source_adapter = 'derived'",
  }
  for (const [table, sql] of Object.entries(spans)) {
    const all = await rows(sql)
    expect(all.length, table).toBeGreaterThan(3)
    for (const [value, message, start, end] of all as [string | null, string, number, number][]) {
      const text = texts.get(message)
      const about = `${table}: ${JSON.stringify(value)} of ${message} [${start}, ${end}]`
      expect(text, about).toBeDefined()
      expect(0 <= start && start <= end && end <= (text as string).length, about).toBe(true)
      if (table === 'relationships' || table === 'derived') expect((text as string).slice(start, end), about).toBe(value)
    }
  }
  // Facets without words cite the message of the call.
  expect(await rows('select facet_type, value from facets where message_id is null')).toEqual([])
  await mnemonic.close()
})
