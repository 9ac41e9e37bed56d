/** Public samples of other libraries are read or rejected with a reason; counts match the raw lines. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fileReader } from '../../../test/helpers/collect-items.ts'
import type { ReadItem } from '../adapter.ts'
import { calendar } from './calendar.ts'

const root = resolve('../shared/fixtures/calendar')
const present = existsSync(root)
if (!present) process.stderr.write('skipped: the public calendar samples are not on this machine\n')
const names = present
  ? readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ics'))
      .sort()
  : []
const adapter = calendar({ owner: { isOwn: () => false, timezone: 'UTC' }, agentId: 'main' })

async function read(name: string): Promise<{ items: ReadItem[]; code?: string }> {
  const items: ReadItem[] = []
  try {
    const path = join(root, name)
    for await (const item of adapter.read({ path, size: 1, mtimeMs: 1 }, undefined, fileReader())) items.push(item)
    return { items }
  } catch (error) {
    return { items, code: (error as { code?: string }).code ?? String(error) }
  }
}

describe.skipIf(!present)('public samples', () => {
  it('each VEVENT becomes a record or a bad line, and nothing crashes', async () => {
    const refused: string[] = []
    let events = 0
    for (const name of names) {
      const { items, code } = await read(name)
      if (code !== undefined) {
        expect([name, code]).toEqual([name, 'NOT_THIS_FORMAT'])
        refused.push(relative(root, join(root, name)))
        continue
      }
      const count = readFileSync(join(root, name), 'latin1').match(/^\s*BEGIN:VEVENT\s*$/gim)?.length ?? 0
      const records = items.filter((item) => item.type === 'event' && item.record.type !== 'thread').length
      const lost = items.filter((item) => item.type === 'bad_line' && /^an event|cannot be read$/.test(item.reason)).length
      expect([name, records + lost]).toEqual([name, count])
      events += records
    }
    expect([names.length, refused.length, events]).toEqual([174, 7, 773])
  })
})
