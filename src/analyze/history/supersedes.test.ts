import { describe, expect, it } from 'vitest'
import { processorTime } from '../../../test/helpers/processor-time.ts'
import { contrastOf } from './supersedes.ts'
import { statementTerms } from './terms.ts'

const claim = (text: string, about = '') => ({ text, about, terms: statementTerms(text, about) })
const contrast = (earlier: string, later: string) => contrastOf(claim(earlier), claim(later))

describe('a later decision holds instead', () => {
  it.each([
    ['turned from', "Let's use MySQL for the order store.", "Let's use PostgreSQL instead of MySQL for the order store."],
    ['turned from', 'We decided to use Jest for the unit suite.', 'We switched from Jest to Vitest.'],
    ['turned from', "let's store it in `state.json`", 'I want it to be stored in the git notes rather than `state.json`'],
    ['turned from', 'We will keep the on/off values for skip_push.', "let's use true/false and not on/off for skip_push"],
    ['other value', 'Change Lantern Default to Disabled When Not Set', 'the lantern should be enabled by default'],
    ['other value', 'I want the folders to start at /0 when they are created', 'I want the folders to start at /1 when they are created'],
    ['other value', 'My favourite colour is purple.', 'My favourite colour is blue.'],
    ['other value', 'I want the sidebar to be on the left.', 'I want the sidebar to be on the right.'],
    ['turned from', "let's keep the settings in YAML", 'we decided to move the settings from YAML to TOML'],
    ['taken back', "let's drop support for Node 16", "let's bring back support for Node 16"],
    ['taken back', 'Add the retry queue to the mail sender', 'Remove the retry queue from the mail sender'],
    ['taken back', 'always use `fetchAll` here', 'never use `fetchAll` here'],
  ])('%s: %s → %s', (reason, earlier, later) => expect(contrast(earlier, later)).toBe(reason))
})

describe('a right decision is not hidden', () => {
  it.each([
    [
      'one of several parts',
      "Let's do five tries, Retry-After first, and a list in the admin page.",
      "Let's show the list in the status page instead of the admin page.",
    ],
    ['another subject', "Let's use MySQL for the order store.", "Let's use Redis instead of Memcached for sessions."],
    ['both turn from the same', "Let's use Vitest instead of Jest.", 'We went with Vitest rather than Jest.'],
    ['the default of something else', 'The lantern is disabled by default', 'the compass should be enabled by default'],
    ['the same value again', 'The lantern is disabled by default', 'make the lantern default to off'],
    ['one shared word', 'Add a test for the session store', 'Remove the session banner'],
    ['another step of the same work', "Let's move the validators into the session package", "Let's rename the session package"],
    ['another number of another sentence', 'I want three retries, at most 3 of them', 'I want the timeout to be 30 seconds'],
    ['for something else', "We'll use TypeScript for the client.", "Let's use Go instead of TypeScript for the daemon."],
    ['two words differ', 'I want the sidebar to be on the left.', 'I want the banner to be on the right.'],
    ['numbers of a list', "let's fix 3 too", "let's fix 4 too"],
  ])('%s: %s / %s', (_, a, b) => {
    expect(contrast(a, b)).toBeUndefined()
    expect(contrast(b, a)).toBeUndefined()
  })
})

it('what a plan says of itself counts: its heading alone names no value', () => {
  const plan = claim('Invert Lantern Flag Logic', 'Change `--no-lantern` (default: `false`) to `--lantern` (default: `true`).')
  expect(contrastOf(claim('Change Lantern Default to Disabled When Not Set'), plan)).toBe('other value')
})

it('no text makes it slow or break', () => {
  const spent = processorTime()
  for (const text of [
    'instead of '.repeat(5_000),
    'not '.repeat(10_000),
    'default '.repeat(10_000),
    'a/b'.repeat(10_000),
    '\ud83d'.repeat(999),
  ])
    expect(() => contrastOf(claim(text), claim(`${text} instead of x`))).not.toThrow()
  expect(spent()).toBeLessThan(5_000)
})
