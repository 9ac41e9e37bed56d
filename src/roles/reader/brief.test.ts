import { mkdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ATLAS, saidHome as home, LAMP, QUEUE } from '../../../test/helpers/said-home.ts'
import { codexSource } from '../../../test/helpers/sources/codex.ts'
import { countTokens } from '../../core/tokens.ts'

const ADA = '/home/ada/atlas'
const DAY = 86_400_000

describe('the brief', () => {
  it('says where a project stands and what holds, in the same bytes while memory is the same; what changed stands apart', async () => {
    const memory = await home([
      { ...QUEUE, texts: ["Let's use postgres for the telemetry store.", 'Done: the telemetry store uses postgres.'] },
      { ...LAMP, folder: ATLAS, day: 9 },
    ])
    const first = await memory.brief({ folder: ATLAS, harness: 'codex', session: 'x' })
    expect(first.stable).toContain('2 sessions, last 2026-02-09')
    expect(first.stable).toContain('aaaaaaaa')
    expect(first.changed).toBe('')
    expect((await memory.brief({ folder: ATLAS, harness: 'codex', session: 'y' })).stable).toBe(first.stable)
    expect(countTokens(first.text)).toBeLessThanOrEqual(1500)
    expect((await memory.brief({ folder: ATLAS, maxTokens: 0 })).text).toBe('')
  })

  it('has the rules that the owner stated, and none that an agent proposed', async () => {
    const memory = await home([QUEUE])
    await memory.remember({ text: 'I prefer tables to lists', type: 'preference', by: 'owner' })
    await memory.remember({ text: 'I prefer deploys on fridays', type: 'preference', by: 'agent' })
    const { stable } = await memory.brief({ folder: ATLAS, harness: 'codex' })
    expect(stable).toContain('## Rules and preferences of the owner')
    expect(stable).toContain('tables to lists')
    expect(stable).not.toContain('fridays')
  })

  it('lists the actions that are open, and none that a later commit closed', async () => {
    const todo = { ...QUEUE, folder: ADA, texts: ['TODO: rename the tide table. TODO: paint the harbour lantern.', 'Noted.'] }
    const openIn = (brief: string) => brief.split('## Open actions')[1] ?? ''
    const memory = await home([todo])
    const before = await memory.brief({ folder: ADA, harness: 'codex' })
    expect(openIn(before.stable)).toContain('rename the tide table')
    codexSource.write(memory.home.logs, 'later', [
      {
        ...{ at: Date.UTC(2026, 1, 9, 10), prompt: 'Go on.', answer: 'Committed.' },
        tool: {
          name: 'shell',
          params: { command: ['bash', '-lc', 'git commit -m "Rename the tide table"'] },
          result: JSON.stringify({ output: '[main 1a2b3c4] Rename the tide table\n 1 file changed\n', metadata: { exit_code: 0 } }),
        },
      },
    ])
    await memory.sync({ path: memory.home.logs, embed: false })
    await memory.analyze({ types: ['session_summary'] })
    const { stable } = await memory.brief({ folder: ADA, harness: 'codex' })
    expect(openIn(stable)).toContain('paint the harbour lantern')
    expect(openIn(stable)).not.toContain('rename the tide table')
  })

  it('says what other harnesses did, decided and committed since this one was last here, and no more than that', async () => {
    const memory = await home([
      { ...QUEUE, folder: ADA, texts: ["Let's use postgres for the telemetry store.", 'Done: the telemetry store uses postgres.'] },
    ])
    const at = Date.UTC(2026, 1, 9, 10)
    codexSource.write(memory.home.logs, 'later', [
      {
        ...{ at, prompt: "Let's use zstd for the tide archive.", answer: 'The tide archive is packed with zstd now.' },
        tool: {
          name: 'shell',
          params: { command: ['bash', '-lc', 'git commit -m "Pack the tide archive"'] },
          result: JSON.stringify({ output: '[main 1a2b3c4] Pack the tide archive\n 1 file changed\n', metadata: { exit_code: 0 } }),
        },
      },
    ])
    await memory.sync({ path: memory.home.logs, adapters: ['codex'], embed: false })
    const { changed, stable, text, tokens } = await memory.brief({ folder: ADA, harness: 'claude-code', session: 'x' })
    expect(changed).toMatch(/^## Changed since you were last here \(2026-02-01\)\n/)
    expect(changed).toMatch(/^- 2026-02-09 \w+ .*\[codex\]$/m)
    expect(changed).toContain('- commit 1a2b3c4 “Pack the tide archive”')
    expect(changed).toContain("- decided 2026-02-09 “Let's use zstd for the tide archive.”")
    expect(changed).not.toContain('postgres')
    expect(stable).toContain('postgres')
    expect(text).toContain(changed)
    expect(countTokens(text)).toBeLessThanOrEqual(tokens)
    // Nothing changed for the last harness here, nor for a new one.
    expect((await memory.brief({ folder: ADA, harness: 'codex' })).changed).toBe('')
    expect((await memory.brief({ folder: ADA, harness: 'cursor' })).changed).toBe('')
    // With a small budget, changes keep their share.
    const small = await memory.brief({ folder: ADA, harness: 'claude-code', maxTokens: 200 })
    expect(countTokens(small.text)).toBeLessThanOrEqual(200)
    // After another visit, the change is old.
    const again = await home([{ ...QUEUE, folder: ADA, day: 1 }], { clock: () => at + 30 * DAY })
    expect((await again.brief({ folder: ADA, harness: 'claude-code' })).changed).toBe('')
  })

  it('has what the owner stated for a project in that project alone, even before it has a session', async () => {
    const memory = await home([QUEUE])
    const [harbour, quay] = ['harbour', 'quay'].map((name) => {
      const folder = join(memory.home.root, name)
      mkdirSync(folder)
      return realpathSync(folder)
    }) as [string, string]
    const state = (text: string, more: object = {}) => memory.remember({ text, by: 'owner', ...more })
    await state('I prefer tables to lists', { type: 'preference' })
    await state('Always run the tide tests before a commit', { type: 'preference', project: harbour })
    await state('We decided to deploy from the main branch only', { type: 'decision', project: harbour })
    const rules = async (folder: string) => (await memory.brief({ folder, harness: 'codex' })).stable
    expect(await rules(harbour)).toContain('tables to lists')
    expect(await rules(harbour)).toContain('tide tests')
    expect(await rules(harbour)).toContain('main branch only')
    for (const elsewhere of [quay, ATLAS]) {
      expect(await rules(elsewhere)).toContain('tables to lists')
      expect(await rules(elsewhere)).not.toContain('tide tests')
      expect(await rules(elsewhere)).not.toContain('main branch only')
    }
  })
})
