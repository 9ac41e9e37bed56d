/** The schemas of test/helpers/native-schemas.ts hold for the harnesses' own files: else they would say nothing of ours. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { claudeCodeRecord, codexRecord, piRecord } from '../../../test/helpers/native-schemas.ts'

const root = resolve('../shared/fixtures')

/** Files of real sessions; those that were made to be odd are left out. */
const SAMPLES = [
  {
    folder: 'claude-code',
    only: /\.jsonl$/,
    odd: /ccl-tests|drift|edge|bad|malformed|invalid|synthetic|stage0/i,
    schema: claudeCodeRecord,
    least: 0.97,
  },
  { folder: 'codex', only: /rungraph/, odd: /drift/, schema: codexRecord, least: 0.9 },
  { folder: 'pi-openclaw', only: /pi-small\.jsonl$/, odd: /drift/, schema: piRecord, least: 1 },
]

function records(path: string): unknown[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        return [JSON.parse(line) as unknown]
      } catch {
        return [] // a line that is cut off, or empty: no record
      }
    })
}

describe('records of real sessions', () => {
  it.skipIf(!existsSync(root)).each(SAMPLES)('of $folder pass', ({ folder, only, odd, schema, least }) => {
    const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).filter(
      (path) => only.test(path) && !odd.test(path),
    )
    let [passed, failed] = [0, 0]
    for (const file of files.filter((path) => path.endsWith('.jsonl'))) {
      for (const record of records(join(root, folder, file))) {
        const parsed = schema.safeParse(record)
        // Other types of record are none of ours.
        if (parsed.success) passed += 1
        else if (!parsed.error.issues.some(({ code, path }) => code === 'invalid_union' && isTag(path))) failed += 1
      }
    }
    expect(passed).toBeGreaterThanOrEqual(5)
    expect(passed / (passed + failed)).toBeGreaterThanOrEqual(least)
  })
})

/** The union could not tell the kind of record: it is another one. */
function isTag(path: readonly PropertyKey[]): boolean {
  return path.at(-1) === 'type' || path.at(-1) === 'role'
}
