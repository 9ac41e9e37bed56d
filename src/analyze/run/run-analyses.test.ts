import { describe, expect, it } from 'vitest'
import { analyzedStore, DECIDED, grouped, talk } from '../../../test/helpers/analyzed-store.ts'
import { NOON } from '../../../test/helpers/store.ts'
import { MnemonicError } from '../../core/error.ts'
import { readRules } from '../../episodes/definitions.ts'
import { removeMessages } from '../../ledgers/removal/remove-messages.ts'
import type { Store } from '../../store/store.ts'
import type { Analyzer, EpisodeText, Findings } from '../analyzer.ts'
import { knownTypes, planAnalyses } from './plan.ts'
import { ruleAnalyzers } from './rule-analyzers.ts'
import { runAnalyses } from './run-analyses.ts'
import type { RunOptions } from './run-options.ts'

const rules = ruleAnalyzers({ timezone: 'UTC' })
const BY_AGE = [DECIDED, 'Why is the parser slow?', 'Dinner on Friday?', 'Name the release branch.']
const NOTHING: Findings = { output: null, facets: [] }

function spy(find: (episode: EpisodeText) => Findings | Promise<Findings>, more: Partial<Analyzer> = {}) {
  const seen: string[] = []
  const analyzer: Analyzer = {
    ...{ name: 'topics', version: '1', implementation: 'rules', reads: 'speech' },
    analyze(episode) {
      seen.push(episode.messages[0]?.text ?? '')
      return find(episode)
    },
    ...more,
  }
  return { analyzer, seen }
}

async function run(store: Store, analyzer: Analyzer, more: Partial<RunOptions> = {}) {
  const types = await knownTypes(store, NOON)
  const type = types.find(({ name }) => name === analyzer.name)
  if (type === undefined) throw new Error(`no type ${analyzer.name}`)
  return runAnalyses(store, [{ type, analyzer }], { clock: () => NOON, rules: await readRules(store.read), ...more })
}

const runs = (store: Store) => store.read.selectFrom('analysis_runs').selectAll().orderBy('id').execute()
const facets = (store: Store) => store.read.selectFrom('facets').selectAll().orderBy('value').execute()

describe('runs', () => {
  it('go over all episodes that are over, once', async () => {
    const store = await analyzedStore()
    const { analyzer, seen } = spy(() => NOTHING)
    expect((await run(store, analyzer)).types[0]).toMatchObject({ completed: 4, failed: 0 })
    expect([...seen].sort()).toEqual([...BY_AGE].sort())
    expect((await run(store, analyzer)).types[0]).toMatchObject({ completed: 0 })
    expect(seen).toHaveLength(4)
    expect((await runs(store)).every(({ status, holder }) => status === 'completed' && holder === null)).toBe(true)
  })

  it('stop at a limit with the newest, and go on from there', async () => {
    const store = await analyzedStore()
    const { analyzer, seen } = spy(() => NOTHING)
    for (let at = 0; at < 6; at++) await run(store, analyzer, { limit: 1 })
    expect(seen).toEqual(BY_AGE)
  })

  it('hear a signal that comes while rules work, which wait for nothing themselves', async () => {
    const store = await analyzedStore()
    const stop = new AbortController()
    const { analyzer } = spy(() => {
      setImmediate(() => stop.abort())
      return NOTHING
    })
    // The run looks for more after the first batch.
    await expect(run(store, analyzer, { signal: stop.signal })).rejects.toMatchObject({ code: 'INTERRUPTED' })
    expect((await runs(store)).map(({ status }) => status)).toEqual(['completed', 'completed', 'completed', 'completed'])
  })

  it('are those of one agent, or from one time on', async () => {
    const store = await analyzedStore()
    await talk(store, 'other', [['What is for lunch?', 'Soup.']], { agent: 'max' })
    await grouped(store)
    const { analyzer, seen } = spy(() => NOTHING)
    await run(store, analyzer, { agentId: 'max' })
    expect(seen).toEqual(['What is for lunch?'])
    await run(store, analyzer, { agentId: 'main', since: NOON - 36 * 3_600_000 })
    expect(seen.slice(1).sort()).toEqual([DECIDED, 'Why is the parser slow?'].sort())
    const owners = await store.read.selectFrom('analysis_runs').select('agent_id').distinct().orderBy('agent_id').execute()
    expect(owners.map(({ agent_id }) => agent_id)).toEqual(['main', 'max'])
  })

  it.each<[string, Partial<Analyzer>, number]>([
    ['another version', { version: '2' }, 4],
    ['another implementation', { implementation: 'a/model' }, 4],
    ['the same', {}, 0],
  ])('%s runs again', async (_, more, again) => {
    const store = await analyzedStore()
    await run(store, spy(() => NOTHING).analyzer)
    const { analyzer, seen } = spy(() => NOTHING, more)
    await run(store, analyzer)
    expect(seen).toHaveLength(again)
  })

  it('what a model said is not said again by rules, whatever their version', async () => {
    const store = await analyzedStore()
    await run(store, spy(() => NOTHING, { implementation: 'a/model' }).analyzer)
    const { analyzer, seen } = spy(() => NOTHING, { version: '9' })
    await run(store, analyzer)
    expect(seen).toEqual([])
  })

  it('an episode that changed runs again, and no other', async () => {
    const store = await analyzedStore()
    const { analyzer, seen } = spy(() => NOTHING)
    await run(store, analyzer)
    await store.write((tx) => tx.db.updateTable('events').set({ content: 'Lunch?' }).where('id', '=', 'imessage:m0').execute())
    await grouped(store)
    await run(store, analyzer)
    expect(seen.slice(4)).toEqual(['Lunch?'])
  })

  it('replace what they wrote, and double nothing', async () => {
    const store = await analyzedStore()
    const topic = (value: string) => (episode: EpisodeText) => {
      const { message = '', text = '' } = episode.messages[0] ?? {}
      return { output: { value }, facets: [{ type: 'topic', value, confidence: 0.5, span: { message, start: 0, end: text.length } }] }
    }
    await run(store, spy(topic('one')).analyzer)
    await run(store, spy(topic('two'), { version: '2' }).analyzer)
    const found = await facets(store)
    expect(found.map(({ value }) => value)).toEqual(['two', 'two', 'two', 'two'])
    expect(found.find(({ message_id }) => message_id === 'codex:s/s-m2')).toMatchObject({
      ...{ confidence: 0.5, span_start: 0, span_end: DECIDED.length, trust: 'owner', agent_id: 'main' },
    })
    expect(found.find(({ message_id }) => message_id === 'imessage:m0')?.trust).toBe('contact')
  })

  it('name the entity that they wrote for a person, or nobody', async () => {
    const store = await analyzedStore()
    const graph = { entities: [], observations: [] }
    const person = (ref: string) => ({ type: 'person', value: ref, confidence: 1, person: ref })
    const findings = { output: null, graph, facets: [person('handle:sarah@example.com'), person('handle:x@example.com')] }
    await run(store, spy(() => findings).analyzer, { limit: 1, writeGraph: async () => new Map([['handle:sarah@example.com', 'sarah']]) })
    expect((await facets(store)).map(({ value, person_id }) => [value, person_id])).toEqual([
      ['handle:sarah@example.com', 'sarah'],
      ['handle:x@example.com', null],
    ])
  })

  it('become derived events where they state something, once, also beside what the sync derives', async () => {
    const store = await analyzedStore()
    const state = ({ messages }: EpisodeText): Findings => ({
      ...NOTHING,
      statements: messages.flatMap(({ message, text }) =>
        text === DECIDED ? [{ message, type: 'decision' as const, start: 0, end: text.length, rule: 'a/model', confidence: 0.9 }] : [],
      ),
    })
    const { analyzer } = spy(state)
    await run(store, analyzer)
    await run(store, { ...analyzer, version: '2' })
    const events = await store.read.selectFrom('events').selectAll().where('source_adapter', '=', 'derived').execute()
    expect(events.map(({ id, content, thread_id, trust }) => [id, content, thread_id, trust])).toEqual([
      [`derived:codex:s/s-m2:0-${DECIDED.length}:decision`, DECIDED, 'aix_session:codex:s', 'owner'],
    ])
    await run(store, spy(() => ({ ...NOTHING, statements: [] }), { version: '3' }).analyzer)
    expect(await store.read.selectFrom('events').select('id').where('source_adapter', '=', 'derived').execute()).toEqual([])
  })
})

describe('failures', () => {
  const failing = (code: 'VALIDATION_ERROR' | 'CONFIG_INVALID', only = DECIDED) =>
    spy(({ messages }) => {
      if (messages[0]?.text === only) throw new MnemonicError(code, 'the answer fails its schema')
      return NOTHING
    })

  it('keep their reason, and are tried again until they failed three times', async () => {
    const store = await analyzedStore()
    const { analyzer, seen } = failing('VALIDATION_ERROR')
    for (let at = 0; at < 5; at++) await run(store, analyzer)
    expect(seen.filter((text) => text === DECIDED)).toHaveLength(3)
    expect(
      (await runs(store)).filter(({ status }) => status === 'failed').map(({ error_message, attempts }) => [error_message, attempts]),
    ).toEqual([['VALIDATION_ERROR: the answer fails its schema', 3]])
    await run(store, analyzer, { retry: true })
    expect(seen.filter((text) => text === DECIDED)).toHaveLength(4)
  })

  it('what would fail for all stops the rest, which goes on waiting', async () => {
    const store = await analyzedStore()
    const { analyzer } = failing('CONFIG_INVALID')
    const report = await run(store, { ...analyzer, implementation: 'a/model' })
    expect(report.stopped).toBe('the answer fails its schema')
    expect((await runs(store)).map(({ status }) => status)).toEqual(['pending', 'pending', 'pending', 'pending'])
  })

  it('what rules did in the place of a model says so, and is asked again only on demand', async () => {
    const store = await analyzedStore()
    const fallback = spy(() => ({ ...NOTHING, implementation: 'rules', note: 'the model did not answer' }), { implementation: 'a/model' })
    expect((await run(store, fallback.analyzer)).types[0]).toMatchObject({ completed: 4, fallbacks: 4 })
    expect((await runs(store))[0]).toMatchObject({ asked: 'a/model', implementation: 'rules', note: 'the model did not answer' })
    await run(store, fallback.analyzer)
    expect(fallback.seen).toHaveLength(4)
    await run(store, fallback.analyzer, { retry: true })
    expect(fallback.seen).toHaveLength(8)
  })
})

describe('several at once', () => {
  it('a run that another process holds is left to it, and taken over when that is dead', async () => {
    const store = await analyzedStore()
    const { analyzer, seen } = spy(() => NOTHING)
    await run(store, analyzer)
    const hold = (held_until: number) =>
      store.write((tx) => tx.db.updateTable('analysis_runs').set({ status: 'running', holder: elsewhere, held_until }).execute())
    const elsewhere = JSON.stringify({ id: 'x', pid: 1, host: 'elsewhere', mark: '' })
    await hold(NOON + 30_000)
    await run(store, analyzer)
    expect(seen).toHaveLength(4)
    await hold(NOON - 1)
    await run(store, analyzer)
    expect(seen).toHaveLength(8)
  })

  it('two that run together do each episode once', async () => {
    const store = await analyzedStore()
    const [one, two] = [slow(), slow()]
    await Promise.all([run(store, one.analyzer), run(store, two.analyzer)])
    expect([...one.seen, ...two.seen].sort()).toEqual([...new Set([...one.seen, ...two.seen])].sort())
    expect(one.seen.length + two.seen.length).toBe(4)
  })

  it('what changes while it is read is not written, and waits again', async () => {
    const store = await analyzedStore()
    let changed = false
    const { analyzer, seen } = spy(async ({ messages }) => {
      if (!changed && messages[0]?.message === 'imessage:m0') {
        changed = true
        await store.write((tx) => tx.db.updateTable('events').set({ content: 'Lunch?' }).where('id', '=', 'imessage:m0').execute())
        await grouped(store)
      }
      return { output: messages[0]?.text, facets: [] }
    })
    await run(store, analyzer)
    expect((await runs(store)).map(({ status }) => status).sort()).toEqual(['completed', 'completed', 'completed', 'pending'])
    await run(store, analyzer)
    expect(seen.slice(4)).toEqual(['Lunch?'])
  })

  it('as many of a model as asked for, and no more', async () => {
    const store = await analyzedStore()
    let [now, most] = [0, 0]
    let free = () => {}
    const isFull = new Promise<void>((resolve) => (free = resolve))
    const { analyzer } = spy(
      async () => {
        most = Math.max(most, ++now)
        // Time for one more run, which must not start.
        if (now === 3) setTimeout(free, 20)
        await isFull
        now -= 1
        return NOTHING
      },
      { implementation: 'a/model' },
    )
    await run(store, analyzer, { jobs: 3 })
    expect(most).toBe(3)
  })

  function slow() {
    return spy(async () => {
      await new Promise((resolve) => setTimeout(resolve, 5))
      return NOTHING
    })
  }
})

it('a message that is removed takes along what it supports', async () => {
  const store = await analyzedStore()
  const { analyzer } = spy(({ messages }) => ({
    output: null,
    facets: messages.map(({ message, text }) => ({
      type: 'topic',
      value: text,
      confidence: 1,
      span: { message, start: 0, end: text.length },
    })),
  }))
  await run(store, analyzer)
  expect(await facets(store)).toHaveLength(8)
  await store.write((tx) => removeMessages(tx, ['codex:s/s-m2'], { clock: () => NOON, quietMs: 0 }))
  await store.write((tx) => tx.db.deleteFrom('events').where('id', '=', 'imessage:m1').execute())
  const left = (await facets(store)).map(({ value }) => value)
  expect(left).not.toContain(DECIDED)
  expect(left).not.toContain('We decided to move the launch to May.')
  expect(left).toContain('Why is the parser slow?')
})

it('a type of the owner’s own needs a model: named it is refused, else it is left out', async () => {
  const store = await analyzedStore()
  const { addType } = await import('./own-type.ts')
  await addType(store, { name: 'risks', on: ['agent_session'], prompt: 'What may go wrong?', facets: { risk: 'what may go wrong' } }, NOON)
  await expect(planAnalyses(store, { names: ['risks'], rules, now: NOON })).rejects.toThrow('risks asks a model, and none is configured')
  expect((await planAnalyses(store, { rules, now: NOON })).unable.map(({ name }) => name)).toContain('risks')
  const { analyzer, seen } = spy(() => ({ output: 'none', facets: [] }), { name: 'risks', implementation: 'a/model' })
  const model = { implementation: 'a/model', analyzer: async ({ name }: { name: string }) => (name === 'risks' ? analyzer : undefined) }
  const { planned } = await planAnalyses(store, {
    names: ['risks'],
    rules,
    model: { ...model, estimator: () => async () => ({ calls: 0, tokens: 0, usd: 0 }) },
    now: NOON,
  })
  await runAnalyses(store, planned, { clock: () => NOON, rules: await readRules(store.read) })
  expect(seen).toEqual(['Why is the parser slow?', 'Name the release branch.'])
})
