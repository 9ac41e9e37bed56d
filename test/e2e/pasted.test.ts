/** What somebody pastes into a prompt does not become a rule of theirs, from the log to the brief; what they say themselves does. */
import { expect, it } from 'vitest'
import { FOREIGN, TYPED } from '../fixtures/pasted/foreign.ts'
import { COPIED, DECIDED, KNOWN, OTHERS, OWN, RESTATED, TASTES } from '../fixtures/pasted/pastes.ts'
import { saidHome } from '../helpers/said-home.ts'

const FOLDER = '/home/dev/atlas'
const home = (prompts: readonly string[], answer = (_: string) => 'Done.') =>
  saidHome(
    prompts.map((prompt, i) => ({
      session: `${String(i).padStart(8, '0')}-1111-4111-8111-111111111111`,
      folder: FOLDER,
      texts: [prompt, answer(prompt)],
    })),
  )

interface Rule {
  readonly session_id: string
  readonly content: string
  readonly trust: string
}

async function rulesOf(prompts: readonly string[]) {
  const memory = await home(prompts)
  const { rows } = await memory.sql(
    "select d.session_id, e.content, d.trust from decisions d join events e on e.id = d.event_id where d.type = 'preference_stated'",
  )
  const rules = rows.map(([session_id, content, trust]) => ({ session_id, content, trust }) as Rule)
  const { stable } = await memory.brief({ folder: FOLDER, maxTokens: 15_000 })
  const at = (i: number) => rules.filter(({ session_id }) => session_id.includes(`${String(i).padStart(8, '0')}-1111`))
  const owned = prompts.filter((_, i) => at(i).some(({ trust }) => trust === 'owner'))
  return { memory, rules, owned, brief: stable.split('## Rules and preferences of the owner')[1] ?? '' }
}

it.each([
  ['the known kinds', KNOWN],
  ['kinds that no rule was written for', OTHERS],
])('%s of paste give no rule of the owner', async (_, pastes) => {
  const { owned, brief, memory } = await rulesOf(pastes)
  expect(owned).toEqual([])
  expect(brief).not.toContain('zephyr')
  expect(
    (await memory.read({ prompt: 'which script did we say to run before deploys?', folder: FOLDER })).pieces.map(({ kind }) => kind),
  ).not.toContain('preference')
})

it('the list of preferences has the rules of the owner alone; all has what was pasted, too', async () => {
  const memory = await home(['Always use const, never let.', ...KNOWN.slice(0, 9)])
  const words = async (all: boolean) =>
    (await memory.decisions({ preferences: true, all, limit: 50 })).lines.flatMap(({ holds }) => holds.map(({ text }) => text)).join('\n')
  expect(await words(false)).toBe('Always use const, never let.')
  expect(await words(true)).toContain('zephyr')
})

it('a decision that was copied from elsewhere is not of the owner; their own is', async () => {
  const memory = await home([...COPIED, ...DECIDED])
  const { lines } = await memory.decisions({ all: true, limit: 50 })
  const trusts = (word: string) => lines.flatMap(({ holds }) => holds.filter(({ text }) => text.includes(word)).map(({ trust }) => trust))
  expect(new Set(trusts('zephyr'))).toEqual(new Set(['untrusted']))
  expect(JSON.stringify((await memory.decisions({ limit: 50 })).lines)).not.toContain('zephyr')
  expect(trusts('postgres')).toEqual(DECIDED.map(() => 'owner'))
})

it('rules in plain words of the owner are rules of the owner', async () => {
  const { owned } = await rulesOf(OWN)
  expect(OWN.filter((prompt) => !owned.includes(prompt))).toEqual([])
})

it('what an agent repeats of a document is no decision', async () => {
  const memory = await home(
    RESTATED.map((_, i) => `Read document ${i}.`),
    (prompt) => RESTATED[Number(/\d+/.exec(prompt))] as string,
  )
  expect((await memory.decisions({ limit: 50 })).lines).toEqual([])
})

it('what somebody else prefers is no taste of the owner: not in the brief, not in the graph', async () => {
  const { memory, owned } = await rulesOf(TASTES)
  expect(owned).toEqual([])
  const { rows } = await memory.sql("select fact from relationships where type = 'PREFERS'")
  expect(rows).toEqual([])
  const { stable } = await memory.brief({ folder: FOLDER, maxTokens: 15_000 })
  expect(stable.split('## The owner')[1] ?? '').not.toContain('zephyr')
  const { rows: own } = await (await home(['I prefer zephyr for the dashboard.'])).sql(
    "select fact from relationships where type = 'PREFERS'",
  )
  expect(own).toEqual([['I prefer zephyr for the dashboard.']])
})

it('the brief says which decisions only an agent told', async () => {
  const memory = await home(['How is it going?', "Let's use postgres for the queue."], (prompt) =>
    prompt.startsWith('How') ? 'Decision: all deploys use the heron script.' : 'Done.',
  )
  const { stable } = await memory.brief({ folder: FOLDER })
  expect(stable).toMatch(/heron script\.” \(an agent said so\)/)
  expect(stable).toMatch(/postgres for the queue\.”(?:\n|$)/)
})

it('mails, chats, tickets, documents, plays and other languages make nothing of the owner', async () => {
  const { memory, brief } = await rulesOf(FOREIGN)
  const { rows } = await memory.sql(
    "select e.content from decisions d join events e on e.id = d.event_id where d.trust = 'owner' and e.content like '%uokka%'",
  )
  expect(rows).toEqual([])
  expect((await memory.sql("select fact from relationships where type = 'PREFERS'")).rows).toEqual([])
  expect(brief).not.toContain('quokka')
})

it('rules that an owner types are taken, whatever they begin or end with', async () => {
  const { owned } = await rulesOf(TYPED)
  expect(TYPED.filter((prompt) => !owned.includes(prompt))).toEqual([])
})
