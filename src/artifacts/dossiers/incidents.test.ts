import { describe, expect, it } from 'vitest'
import { type DoneCall, incidentsOf } from './incidents.ts'

let count = 0
function ran(command: string, failed: boolean, lines: readonly string[] = []): DoneCall {
  count += 1
  return {
    id: `call${count}`,
    message: `m${count}`,
    at: count,
    deeds: { commands: [command], files: [], patterns: [], urls: [], lines, failed },
  }
}
function edited(path: string): DoneCall {
  count += 1
  const deeds = { commands: [], files: [{ path, action: 'edit' as const }], patterns: [], urls: [], lines: [], failed: false }
  return { id: `call${count}`, message: `m${count}`, at: count, deeds }
}

describe('what failed and was mended', () => {
  it('the migration failed, X was tried, Y worked', () => {
    const calls = [
      ran('npm run migrate', true, ['Error: relation "users" does not exist']),
      edited('migrations/002.sql'),
      ran('npm run migrate', true, ['Error: column missing']),
      ran('psql -c "create table users ()"', false),
      edited('migrations/001.sql'),
      ran('npm run migrate -- --verbose', false),
    ]
    const [incident, ...others] = incidentsOf(calls)
    expect(others).toEqual([])
    expect(incident?.failures.map(({ id }) => id)).toEqual([calls[0]?.id, calls[2]?.id])
    expect(incident?.remedies.map(({ id }) => id)).toEqual([calls[3]?.id, calls[4]?.id])
    expect(incident?.passed.id).toBe(calls[5]?.id)
    expect(incident?.errors).toEqual(['Error: relation "users" does not exist'])
  })

  it('nothing is learnt where it never passed, where nothing was changed, or where somebody only looked', () => {
    expect(incidentsOf([ran('npm test', true), edited('a.ts')])).toEqual([])
    expect(incidentsOf([ran('npm test', true), ran('npm test', false)])).toEqual([])
    expect(incidentsOf([ran('npm test', true), ran('cat a.ts', false), ran('npm test', false)])).toEqual([])
    expect(incidentsOf([ran('grep x y', true), edited('a.ts'), ran('grep x y', false)])).toEqual([])
    expect(incidentsOf([ran('npm test', true), edited('a.ts'), ran('npm run build', false)])).toEqual([])
  })
})
