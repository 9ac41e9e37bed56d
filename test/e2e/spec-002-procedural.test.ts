/** The procedural rows of the memory model's tables, as a person lives them: documents that somebody wrote, a fix as a how-to, a report on a person. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { testHome } from '../helpers/home.ts'
import { claudeCodeSource } from '../helpers/sources/claude-code.ts'

const START = Date.UTC(2026, 1, 2, 9)
const bash = (command: string, result: string) => ({ name: 'Bash', params: { command }, result })

it('how to deploy, how the migration was fixed, and the career of Tyler', { timeout: 60_000 }, async () => {
  const home = testHome()
  const workspace = join(home.root, 'workspace')
  mkdirSync(join(workspace, 'memory'), { recursive: true })
  writeFileSync(join(workspace, 'DEPLOY.md'), '# How to deploy the app\n\nRun the release script, then watch the canary for ten minutes.\n')
  const turns = [
    { prompt: 'Tyler works at Anthropic. Tyler used to work at Google.', answer: 'Noted.' },
    {
      prompt: 'Run the migration tests',
      answer: 'The migration failed.',
      tool: bash('npm run migrate:test', 'FAIL migrate.test.ts\nError: relation "orders" does not exist\nTests: 1 failed'),
    },
    {
      prompt: 'Try it with a replica',
      answer: 'Changed the migration.',
      tool: {
        name: 'Edit',
        params: { file_path: '/home/dev/atlas/src/migrate.ts', old_string: 'dump', new_string: 'replica' },
        result: 'The file has been updated.',
      },
    },
    { prompt: 'And now?', answer: 'The replica worked.', tool: bash('npm run migrate:test', 'Tests: 1 passed') },
  ]
  claudeCodeSource.write(
    home.logs,
    'migration',
    turns.map((one, i) => ({ ...one, at: START + i * 60_000 })),
  )
  const mnemonic = await home.open()
  await mnemonic.sync({ path: home.logs, embed: false })
  await mnemonic.index.run()
  await mnemonic.analyze({})

  // Procedural: a workspace document, found and read whole.
  const { results } = await mnemonic.search({ query: 'how to deploy the app', filters: { sources: ['memory'] } })
  expect(results[0]?.path).toMatch(/DEPLOY\.md$/)
  expect((await mnemonic.memoryGet({ path: results[0]?.path ?? '' })).text).toContain('watch the canary')

  // Episodic and procedural: what failed, what was tried, what worked; each step with the call that did it.
  const fix = await mnemonic.dossiers.make({ howTo: 'migration failed' })
  expect(fix).toMatchObject({ kind: 'how-to', state: 'written' })
  expect(fix.markdown).toMatch(/npm run migrate:test/)
  expect(fix.markdown).toMatch(/migrate\.ts/)
  expect(fix.markdown.split('\n').filter((line) => /^\d+\. /.test(line)).length).toBeGreaterThanOrEqual(3)
  for (const line of fix.markdown.split('\n').filter((one) => /^\d+\. /.test(one))) expect(line).toMatch(/#call:\S+\]$/)
  const { total } = await mnemonic.episodes.list({ definition: 'agent_session' })
  expect(total).toBe(1)

  // Procedural, derived: a snapshot of the graph, which the graph stays the truth of.
  const career = await mnemonic.dossiers.make({ entity: 'Tyler' })
  expect(career.path).toBe('dossiers/tyler.md')
  expect(career.markdown).toMatch(/Anthropic/)
  expect(career.markdown).toMatch(/Google/)
  await mnemonic.index.run()
  const found = await mnemonic.search({ query: 'Tyler Anthropic', filters: { sources: ['memory'] } })
  expect(found.results.map(({ path }) => path)).toContainEqual(expect.stringMatching(/dossiers\/tyler\.md$/))
})
