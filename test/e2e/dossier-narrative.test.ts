/** The narrative of a dossier: by the configured model, from cited sentences only, paid for once and counted. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { testHome } from '../helpers/home.ts'
import { type LlmReply, llmServer } from '../helpers/llm-server.ts'

const EMPTY = { turns: [], topics: [], entities: [], aliases: [], same: [], observations: [], statements: [], so_far: '' }

async function known(narrative: (recorded: string) => LlmReply) {
  const server = await llmServer(({ system, prompt }) =>
    system.startsWith('You write the opening of a dossier') ? narrative(prompt) : { value: EMPTY },
  )
  const home = testHome()
  const line = (role: string, content: string, at: string) => JSON.stringify({ role, content, timestamp: `2026-02-05T10:0${at}:00Z` })
  writeFileSync(
    join(home.logs, 'tyler.jsonl'),
    `${line('user', 'Tyler works at Anthropic.', '0')}\n${line('assistant', 'Noted.', '1')}\n${line('user', 'Tyler used to work at Google.', '2')}\n${line('assistant', 'Noted.', '3')}\n`,
  )
  const rules = await home.open()
  await rules.sync({ path: home.logs, embed: false })
  await rules.analyze({})
  const plain = await rules.dossiers.make({ entity: 'Tyler' })
  await rules.close()
  const mnemonic = await home.open({ config: { analyze: { provider: 'openai-compatible', model: 'm', base_url: server.url } } })
  return { server, mnemonic, plain }
}

/** `s2` of the line that holds the words. */
const numberOf = (prompt: string, words: string) => new RegExp(`^(s\\d+) .*${words}`, 'm').exec(prompt)?.[1] ?? 'none'

it('stands first, cites what it rests on, is paid for once and goes with its message', { timeout: 60_000 }, async () => {
  const { server, mnemonic, plain } = await known((prompt) => ({
    value: {
      sentences: [
        { text: 'Tyler is now at Anthropic.', from: [numberOf(prompt, 'Anthropic')] },
        { text: 'Before that he was at Google.', from: [numberOf(prompt, 'Google')] },
        { text: 'He leads a team of 40 in Berlin.', from: [numberOf(prompt, 'Anthropic')] },
      ],
    },
  }))
  expect(plain.warnings).toEqual([])
  const { markdown, warnings, state } = await mnemonic.dossiers.make({ entity: 'Tyler' })
  expect({ warnings, state }).toEqual({ warnings: [], state: 'written' })
  const told = markdown.split('\n').filter((text) => /^Tyler is now at Anthropic\.|^Before that he was at Google\./.test(text))
  expect(told).toHaveLength(2)
  for (const text of told) expect(text).toMatch(/\[tyler:\d jsonl:tyler\/\S+#\d+-\d+\]$/)
  // It says more than what it cites.
  expect(markdown).not.toContain('Berlin')
  // The sections stay, so that all of it can be checked.
  for (const text of plain.markdown.split('\n').filter((one) => one.startsWith('- '))) expect(markdown).toContain(text)
  const asked = server.asked.length
  expect((await mnemonic.dossiers.make({ entity: 'Tyler' })).state).toBe('unchanged')
  expect(server.asked).toHaveLength(asked)
  expect((await mnemonic.sql("select calls from llm_spend where purpose = 'narrative'")).rows).toEqual([[1]])
  expect((await mnemonic.dossiers.list())[0]).toMatchObject({ stale: false, edited: false })
  await mnemonic.forget({ match: 'Tyler used to work at Google' })
  expect((await mnemonic.sql('select count(*) from llm_answers')).rows).toEqual([[0]])
})

it('is refused where it cites nothing or makes things up, and left out where the model fails', { timeout: 60_000 }, async () => {
  let reply: LlmReply = { value: { sentences: [{ text: 'Tyler is at Anthropic.', from: [] }] } }
  const { mnemonic, plain } = await known(() => reply)
  const first = await mnemonic.dossiers.make({ entity: 'Tyler' })
  expect(first.markdown).toBe(plain.markdown)
  expect(first.warnings).toEqual([expect.stringMatching(/refused/)])
  reply = { says: 'no JSON at all' }
  const other = await mnemonic.dossiers.make({ topic: 'tyler' })
  expect(other.warnings).toEqual([expect.stringMatching(/^no narrative: .*no JSON/)])
  expect(other.markdown).toContain('- 2026-02-05: Tyler works at Anthropic.')
})
