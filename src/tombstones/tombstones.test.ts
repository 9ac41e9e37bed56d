/** docs/forgetting.md must list every file that imports these. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const ASKS = /\b(tombstonesOf|tombstoneReader|TombstoneReader|TOMBSTONE_REVISION|isSettled)\b.*from '[./]+tombstones\//

it('docs/forgetting.md names every file outside src/tombstones that asks the tombstones', () => {
  const manual = readFileSync('docs/forgetting.md', 'utf8')
  const asking = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && !path.startsWith('tombstones/'))
    .filter((path) => ASKS.test(readFileSync(join('src', path), 'utf8')))
  expect(asking.length).toBeGreaterThan(8)
  // forget.ts is excluded: the documentation describes it as a whole.
  expect(asking.filter((path) => path !== 'forget/forget.ts' && !manual.includes(`src/${path}`))).toEqual([])
})
