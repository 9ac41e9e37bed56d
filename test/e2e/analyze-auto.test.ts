/** A sync that analyzes by itself with a model: several calls at once, rules where it does not answer, and nothing paid for twice. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { testHome } from '../helpers/home.ts'
import { llmServer } from '../helpers/llm-server.ts'

const EMPTY = {
  turns: [{ turn: 't1', label: 'Read by the model', summary: 'A summary.' }],
  topics: [],
  entities: [],
  aliases: [],
  same: [],
  observations: [],
  statements: [],
  so_far: '',
}
const TEXTS = ['zeppelin', 'walrus', 'quartz', 'violin', 'harbor', 'cactus']

it('runs side by side within a sync, falls back to rules for what is refused, and the next sync asks nothing', {
  timeout: 120_000,
}, async () => {
  let [now, most] = [0, 0]
  let beside: () => void = () => undefined
  const another = new Promise<void>((done) => {
    beside = done
  })
  const server = await llmServer(async ({ prompt, system }) => {
    now += 1
    most = Math.max(most, now)
    // The first waits until another comes beside it; where none ever does, `most` says so.
    if (now > 1) beside()
    else await Promise.race([another, new Promise((done) => setTimeout(done, 5000).unref())])
    now -= 1
    // Of one text it says what is no JSON: that is refused and not asked again.
    if (prompt.includes('walrus')) return { says: 'I would rather not.' }
    return { value: system.includes('"sentence"') ? { asked: [], done: [], decisions: [], open: [], topics: [], sentence: '' } : EMPTY }
  })
  const home = testHome()
  for (const [i, word] of TEXTS.entries()) {
    const line = (role: string, content: string, at: number) =>
      JSON.stringify({ role, content, timestamp: new Date(Date.UTC(2026, 1, 2 + i, 10, at)).toISOString() })
    writeFileSync(
      join(home.logs, `${word}.jsonl`),
      `${line('user', `Tyler keeps a ${word} in the shed.`, 0)}\n${line('assistant', 'Noted.', 1)}\n`,
    )
  }
  const open = () =>
    home.open({
      config: { analyze: { provider: 'openai-compatible', model: 'm', base_url: server.url, auto: true, concurrency: 3 } },
    })
  const mnemonic = await open()
  const { totals } = await mnemonic.sync({ path: home.logs, embed: false })
  expect(totals.warnings).toEqual([])
  expect(most).toBeGreaterThan(1)
  expect(most).toBeLessThanOrEqual(3)
  const runs = async (where: string) =>
    (await mnemonic.sql(`select implementation, asked, note is not null from analysis_runs where ${where} group by 1, 2, 3 order by 1`))
      .rows
  const of = (word: string) =>
    `analysis_type_id = 'turn_labels' and episode_id in (select id from episodes where thread_id like '%${word}')`
  expect(await runs(of('zeppelin'))).toEqual([[expect.stringContaining('m'), expect.stringContaining('m'), 0]])
  const [standIn] = await runs(of('walrus'))
  expect(standIn).toEqual(['rules', expect.stringContaining('m'), 1])
  expect((await mnemonic.sql("select count(*) from analysis_runs where status <> 'completed'")).rows).toEqual([[0]])
  const { rows } = await mnemonic.sql("select t.label from agent_turns t where t.session_id like '%zeppelin'")
  expect(rows).toEqual([['Read by the model']])
  const asked = server.asked.length
  const again = await mnemonic.sync({ path: home.logs, embed: false })
  expect(again.totals.warnings).toEqual([])
  expect(server.asked).toHaveLength(asked)
  // And without the model nothing of what it said is replaced.
  await mnemonic.rebuild({ embed: false })
  expect((await mnemonic.sql("select t.label from agent_turns t where t.session_id like '%zeppelin'")).rows).toEqual([
    ['Read by the model'],
  ])
  expect(server.asked).toHaveLength(asked)
})
