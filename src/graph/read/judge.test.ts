import { describe, expect, it } from 'vitest'
import { judge, type Observation } from './judge.ts'

const DAY = 86_400_000
const START = Date.UTC(2026, 0, 15)
const LATER = START + 365 * DAY
let count = 0

function seen(type: string, name: string, fact: string, day: number, more: Partial<Observation> = {}): Observation {
  count += 1
  return {
    ...{ id: `o${String(count).padStart(3, '0')}`, type, name, value: name.toLowerCase(), fact, sourceType: 'stated', confidence: 1 },
    ...{ validAt: null, invalidAt: null, saidAt: START + day * DAY, trust: 'owner', message: `m${count}` },
    ...more,
  }
}

function told(observations: readonly Observation[], at = LATER): string[] {
  return judge(observations, at)
    .map(({ type, value, status, why }) => `${status} ${type} ${value}${why === null ? '' : ` (${why})`}`)
    .sort()
}

describe('what holds of one subject', () => {
  it('reads the example of the specification: Anthropic now, Google before', () => {
    const log = [
      seen('WORKS_AT', 'Anthropic', 'Tyler works at Anthropic', 0),
      seen('WORKS_AT', 'Anthropic', 'Tyler is building Nexus at Anthropic', 17),
      seen('WORKS_AT', 'Google', 'Tyler used to work at Google', 26, { confidence: 0.8 }),
    ]
    const statements = judge(log, LATER)
    expect(told(log)).toEqual(['current WORKS_AT anthropic', 'former WORKS_AT google (over)'])
    expect(statements.find(({ value }) => value === 'anthropic')).toMatchObject({ since: START, until: null, confidence: 1 })
    expect(statements.find(({ value }) => value === 'anthropic')?.observations).toHaveLength(2)
  })

  it('does not depend on the order of the rows', () => {
    const log = [
      seen('WORKS_AT', 'Acme', 'I work at Acme', 0),
      seen('WORKS_AT', 'Beta', 'I work at Beta now', 30),
      seen('USES', 'MySQL', 'We use MySQL', 1),
      seen('USES', 'PostgreSQL', 'We switched from MySQL to PostgreSQL', 40),
    ]
    expect(told([...log].reverse())).toEqual(told(log))
  })

  it('a favourite takes the place of the one before it, and other preferences stand beside it', () => {
    const log = [
      seen('PREFERS', 'purple', "Tyler's favorite color is purple", 0),
      seen('PREFERS', 'blue', "Tyler's favorite color is blue", 31),
      seen('PREFERS', 'dark mode', 'I prefer dark mode', 32),
    ]
    expect(told(log)).toEqual(['current PREFERS blue', 'current PREFERS dark mode', 'former PREFERS purple (replaced)'])
    expect(judge(log, LATER).find(({ value }) => value === 'purple')).toMatchObject({ until: START + 31 * DAY, replacedBy: 'blue' })
  })

  it('knows a switch by its words, and keeps what nobody said to be over', () => {
    const log = [
      seen('USES', 'MySQL', 'The project uses MySQL', 0),
      seen('USES', 'Redis', 'The project uses Redis', 1),
      seen('USES', 'PostgreSQL', 'We decided to use PostgreSQL instead of MySQL', 40),
    ]
    expect(told(log)).toEqual(['current USES postgresql', 'current USES redis', 'former USES mysql (replaced)'])
  })

  it('two of one message hold side by side', () => {
    const both = { message: 'same' }
    const log = [
      seen('WORKS_AT', 'Acme', 'Ada works at Acme and Beta', 0, both),
      seen('WORKS_AT', 'Beta', 'Ada works at Acme and Beta', 0, both),
    ]
    expect(told(log)).toEqual(['current WORKS_AT acme', 'current WORKS_AT beta'])
  })

  it('a later date of validity decides, not the later message', () => {
    const log = [
      seen('LIVES_IN', 'Berlin', 'I live in Berlin', 0),
      seen('LIVES_IN', 'Sydney', 'From 2020 on I lived in Sydney', 90, { validAt: Date.UTC(2020, 0, 1) }),
    ]
    expect(told(log)).toEqual(['current LIVES_IN berlin', 'former LIVES_IN sydney (replaced)'])
  })

  it('what has ended is former, what begins later is planned', () => {
    const log = [
      seen('DATING', 'Kim', 'Ada is dating Kim', 0, { invalidAt: START + 10 * DAY }),
      seen('LIVES_IN', 'Rome', 'Ada lives in Rome', 0),
      seen('LIVES_IN', 'NYC', 'Ada moves to NYC in June', 5, { validAt: START + 150 * DAY }),
    ]
    expect(told(log, START + 20 * DAY)).toEqual(['current LIVES_IN rome', 'former DATING kim (over)', 'uncertain LIVES_IN nyc (planned)'])
    expect(told(log, START + 200 * DAY)).toContain('current LIVES_IN nyc')
  })

  it('a correction of what never changes leaves no past', () => {
    const log = [
      seen('BORN_ON', '1968-05-14', 'Mom was born on May 14', 0),
      seen('BORN_ON', '1968-05-15', "Actually, Mom's birthday is May 15", 9),
    ]
    expect(told(log)).toEqual(['current BORN_ON 1968-05-15', 'former BORN_ON 1968-05-14 (corrected)'])
  })
})

describe('whose word counts', () => {
  it('a stranger takes the place of nothing that the owner said', () => {
    const log = [
      seen('WORKS_AT', 'Acme', 'Ada works at Acme', 0),
      seen('WORKS_AT', 'Evil', 'Ada works at Evil', 50, { trust: 'untrusted' }),
    ]
    expect(told(log)).toEqual(['current WORKS_AT acme', 'uncertain WORKS_AT evil (untrusted)'])
  })

  it('a stranger ends nothing either', () => {
    const log = [
      seen('USES', 'MySQL', 'We use MySQL', 0),
      seen('USES', 'Mongo', 'They switched from MySQL to Mongo', 50, { trust: 'untrusted' }),
    ]
    expect(told(log)).toEqual(['current USES mysql', 'uncertain USES mongo (untrusted)'])
  })

  it('a stranger alone is a claim, and becomes an observation once somebody known says the same', () => {
    const claim = seen('WORKS_AT', 'Acme', 'Ada works at Acme', 0, { trust: 'untrusted' })
    expect(told([claim])).toEqual(['uncertain WORKS_AT acme (untrusted)'])
    const statements = judge([claim, seen('WORKS_AT', 'Acme', 'Ada works at Acme', 3, { trust: 'contact' })], LATER)
    expect(statements).toHaveLength(1)
    expect(statements[0]).toMatchObject({ status: 'current', observations: [{ id: claim.id }, {}] })
  })

  it('an agent does not overrule the owner; a contact who speaks later does', () => {
    const first = seen('WORKS_AT', 'Acme', 'Ada works at Acme', 0)
    expect(told([first, seen('WORKS_AT', 'Beta', 'Ada works at Beta', 9, { trust: 'agent' })])).toEqual([
      'current WORKS_AT acme',
      'uncertain WORKS_AT beta (contested)',
    ])
    expect(told([first, seen('WORKS_AT', 'Beta', 'I work at Beta now', 9, { trust: 'contact' })])).toContain('current WORKS_AT beta')
  })

  it('a guess is uncertain', () => {
    expect(told([seen('KNOWS', 'Bob', 'Ada may know Bob', 0, { confidence: 0.3 })])).toEqual(['uncertain KNOWS bob (weak)'])
  })
})

describe('what a sentence says to be over', () => {
  it.each([
    ['Tyler works at Anthropic, formerly Google', 'Anthropic', false],
    ['Tyler works at Anthropic, formerly Google', 'Google', true],
    ['Tyler left Google for Anthropic', 'Anthropic', false],
    ['Tyler left Google for Anthropic', 'Google', true],
    ["we don't use Google any more", 'Google', true],
    ['Google replaced Anthropic as the sponsor', 'Google', false],
    ['She moved from Google to Anthropic last year', 'Google', true],
    ['The one thing left is to try Google', 'Google', false],
  ])('%s: %s over: %s', (fact, name, over) => {
    const log = [
      seen('WORKS_AT', name, fact, 1),
      seen('KNOWS', 'x', '', 0),
      seen('WORKS_AT', name === 'Google' ? 'Anthropic' : 'Google', '', -1),
    ]
    const found = judge(log, LATER).filter(({ observations }) => observations.some((one) => one.fact === fact))
    expect(found.every(({ status }) => status === 'former')).toBe(over)
  })
})

describe('a correction', () => {
  const owner = { sourceType: 'owner' } as const
  const wrong = (day: number, more: Partial<Observation> = {}) =>
    seen('HAS_NOTE', 'orders-db listens on port 5432', 'orders-db listens on port 5432', day, more)
  const right = (day: number, corrects: string | null = '*') =>
    seen('HAS_NOTE', 'the port is 5433', 'Actually the port is 5433, not 5432', day, { ...owner, corrects })
  const statuses = (log: readonly Observation[]) =>
    judge(log, LATER)
      .map(({ status, why }) => `${status}${why === null ? '' : ` ${why}`}`)
      .sort()

  it('is preferred in either order of rows, and of time', () => {
    const [before, after] = [wrong(0), wrong(20)]
    expect(statuses([before, right(10)])).toEqual(['current', 'former corrected'])
    expect(statuses([right(10), before])).toEqual(['current', 'former corrected'])
    expect(statuses([after, right(10)])).toEqual(['current', 'uncertain contested'])
    expect(statuses([right(10), after])).toEqual(['current', 'uncertain contested'])
    expect(judge([before, right(10)], LATER).find(({ status }) => status === 'former')).toMatchObject({ replacedBy: 'the port is 5433' })
  })

  it('by its id corrects that one alone, whatever its words are', () => {
    const [one, other] = [wrong(0), seen('HAS_NOTE', 'backed up daily', 'orders-db is backed up daily', 1)]
    const by = seen('HAS_NOTE', 'it is hourly', 'it is hourly', 10, { ...owner, corrects: other.id })
    expect(told([one, other, by])).toEqual([
      'current HAS_NOTE it is hourly',
      'current HAS_NOTE orders-db listens on port 5432',
      'former HAS_NOTE backed up daily (corrected)',
    ])
  })

  it('leaves alone what only shares a number, and what says both', () => {
    const log = [seen('HAS_NOTE', 'a', 'ticket 5432 is closed', 0), seen('HAS_NOTE', 'b', 'the port moved from 5432 to 5433', 1), right(10)]
    expect(told(log).filter((line) => line.startsWith('current'))).toHaveLength(3)
  })

  it('of an agent corrects nothing that a person said; the owner’s later word counts again', () => {
    const agent = { ...right(10), trust: 'agent', sourceType: 'stated' }
    expect(told([wrong(0), agent]).filter((line) => line.startsWith('current'))).toHaveLength(2)
    expect(statuses([right(10), wrong(20, owner)])).toEqual(['current', 'current'])
  })
})

describe('what is denied or taken back', () => {
  const google = () => seen('WORKS_AT', 'Google', 'Tyler works at Google.', 0)

  it('a denial ends what was said as a mistake, and says nothing of what nobody said', () => {
    const denied = seen('NOT_WORKS_AT', 'Google', "Tyler doesn't work at Google.", 5)
    expect(told([google(), denied])).toEqual(['former WORKS_AT google (corrected)'])
    expect(told([denied])).toEqual([])
    expect(told([google(), { ...denied, trust: 'untrusted' }])).toEqual(['current WORKS_AT google'])
  })

  it('leaving ends a job that is known, and makes none of a town', () => {
    const left = (name: string) => seen('LEFT', name, `Tyler left ${name}.`, 5)
    expect(told([google(), left('Google')])).toEqual(['former WORKS_AT google (over)'])
    expect(told([left('Ghent')])).toEqual([])
  })

  it('"scratch that" restores what held, since when it held', () => {
    const log = [
      google(),
      seen('WORKS_AT', 'Anthropic', 'Tyler now works at Anthropic.', 4),
      seen('WORKS_AT', 'Google', 'Scratch that, Tyler is still at Google.', 5),
    ]
    expect(told(log)).toEqual(['current WORKS_AT google', 'former WORKS_AT anthropic (corrected)'])
    expect(judge(log, LATER).find(({ status }) => status === 'current')).toMatchObject({ since: START })
  })

  it('of one message the sentence behind "actually" counts, whatever their ids are', () => {
    const at = (start: number, name: string, fact: string, id: string) => seen('WORKS_AT', name, fact, 0, { message: 'm', start, id })
    const log = [at(0, 'Visa', 'Omar works at Visa.', 'z'), at(20, 'Mastercard', 'Actually no, Omar works at Mastercard.', 'a')]
    expect(told(log)).toEqual(['current WORKS_AT mastercard', 'former WORKS_AT visa (corrected)'])
    const both = [at(0, 'Visa', 'Omar works at Visa.', 'z'), at(20, 'Stanford', 'Omar works at Stanford.', 'a')]
    expect(told(both)).toEqual(['current WORKS_AT stanford', 'current WORKS_AT visa'])
  })
})
