import { expect, it } from 'vitest'
import type { StatedRequest, StatedRow } from '../../store/reader-rows.ts'
import type { Store } from '../../store/store.ts'
import { holdsForFile } from './holds-for-file.ts'

const ATLAS = '/home/dev/atlas'
const DAY = 86_400_000
const row = (content: string, more: Partial<StatedRow> = {}): StatedRow => ({
  ...{ event_id: content, key: '0123456789', session_id: 's1', scope: ATLAS, turn_id: 't', made_at: DAY, trust: 'owner', content },
  ...{ rule: 'rules:decided', about: null, title: null, project: ATLAS, repository: null, project_name: 'atlas', hits: 1 },
  ...more,
})

async function said(file: string, decisions: readonly StatedRow[], rules: readonly StatedRow[] = []): Promise<string | undefined> {
  const stated = async ({ type }: StatedRequest) => [...(type === 'decision' ? decisions : rules)]
  const store = { reader: { stated } } as unknown as Store
  const scope = { keys: [ATLAS], folders: [], ids: [] }
  return (await holdsForFile(store, { agent: 'main', scope, folder: ATLAS, file }))?.line
}

it.each([
  ['lantern.ts', 'We keep lantern.ts small.', true],
  ['src/a/lantern.ts', 'We keep `lantern.ts` small.', true],
  ['src/a/lantern.ts', 'We keep ./src/a/lantern.ts small.', true],
  ['src/a/lantern.ts', 'We keep b/lantern.ts small.', false],
  ['src/a/lantern.ts', 'We keep lantern.tsx small.', false],
  ['src/a/lantern.ts', 'We keep lantern.ts.snap small.', false],
  ['src/a/lantern.ts', 'We keep old-lantern.ts small.', false],
  ['src/a/index.ts', 'We keep index.ts small.', false],
  ['src/a/index.ts', 'We keep a/index.ts small.', true],
  ['package.json', 'We keep package.json small.', true],
  ['packages/a/package.json', 'We keep package.json small.', false],
  ['Makefile', 'We keep Makefile small.', false],
])('of %s: %j is said: %s', async (file, text, isSaid) => {
  expect((await said(file, [row(text)])) !== undefined).toBe(isSaid)
  expect((await said(`${ATLAS}/${file}`, [row(text)])) !== undefined).toBe(isSaid)
})

it('nothing of another project, of people, of the heading of a plan, and nothing that is long', async () => {
  const text = 'We keep lantern.ts small.'
  expect(await said('lantern.ts', [row(text, { project: '/elsewhere' })])).toBeUndefined()
  expect(await said('lantern.ts', [row(text, { session_id: null })])).toBeUndefined()
  expect(await said('lantern.ts', [row(text, { rule: 'rules:plan approved' })])).toBeUndefined()
  expect(await said('lantern.ts', [row(`${text} ${'more '.repeat(60)}`)])).toBeUndefined()
})

it('the newest decision; before it a rule of the owner, where two sessions have it', async () => {
  const decisions = [row('We keep lantern.ts small.'), row('We keep lantern.ts large.', { made_at: 2 * DAY, trust: 'agent' })]
  expect(await said('lantern.ts', decisions)).toBe(
    'Decided for this file by an agent on 1970-01-03, and it holds: “We keep lantern.ts large.”',
  )
  const rule = (session_id: string, more: Partial<StatedRow> = {}) => row('Never log in lantern.ts.', { session_id, ...more })
  expect(await said('lantern.ts', decisions, [rule('a'), rule('a')])).toContain('large')
  expect(await said('lantern.ts', decisions, [rule('a'), rule('b', { trust: 'agent' })])).toContain('large')
  expect(await said('lantern.ts', decisions, [rule('a'), rule('b', { made_at: 3 * DAY })])).toBe(
    'Said by the owner in 2 sessions, last 1970-01-04, of this file: “Never log in lantern.ts.”',
  )
})

it('holds no secret', async () => {
  const line = await said('lantern.ts', [row(`Use ghp_${'aB3dE5fG7h'.repeat(3)}aB3dE5 in lantern.ts.`)])
  expect(line).toContain('[REDACTED')
})
