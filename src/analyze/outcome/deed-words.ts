/** Words for deeds: `committed “…” and “…”`, `opened PR #12 “…”`, `changed a.ts and 3 more files`. Quotes foreign text. */
import { plural } from '../../core/text.ts'
import { saysSomething } from '../../ledgers/names/says-something.ts'
import { isRoutine } from '../../ledgers/names/title-of-call.ts'
import type { Outcome, Tests } from './deed.ts'
import { quotedPart } from './quoted-part.ts'

export interface Done {
  readonly commits: readonly string[]
  readonly pulls: readonly { readonly action: 'opened' | 'merged'; readonly number: string | null; readonly text: string }[]
  readonly issues: readonly string[]
  readonly merges: readonly string[]
  readonly files: readonly string[]
  readonly tests: TestsState | null
}

export type TestsState = Tests['state'] | 'mended'

export function doneOf({ commits, pulls, issues, merges, files, tests }: Outcome): Done {
  return {
    commits: commits.map(({ text }) => text),
    pulls: pulls.map(({ action, number, text }) => ({ action, number, text })),
    issues: issues.map(({ text }) => text),
    merges: merges.map(({ text }) => text),
    files: files.map(({ path }) => path),
    tests: testsState(tests),
  }
}

export function testsState(tests: Tests | undefined): TestsState | null {
  return tests === undefined ? null : tests.mended ? 'mended' : tests.state
}

export interface Room {
  readonly words: number
  readonly most: number
}

export function pullWords({ pulls }: Done, { words }: Room): string {
  const merged = pulls.filter(({ action }) => action === 'merged').at(-1)
  const opened = pulls.filter(({ action }) => action === 'opened').at(-1)
  const shown = merged?.number != null && merged.number === opened?.number ? [{ ...merged, text: opened.text }] : [merged, opened]
  return listed(
    shown.flatMap((pull) => {
      if (pull === undefined) return []
      const title = quotedPart(pull.text, words)
      return [`${pull.action} ${pull.number === null ? 'a pull request' : `PR ${pull.number}`}${title === '' ? '' : ` “${title}”`}`]
    }),
  )
}

export function commitWords({ commits }: Done, { words, most }: Room): string {
  const shown = tellingCommits(commits, most).map((subject) => `“${quotedPart(subject, words)}”`)
  if (shown.length === 0) return ''
  const more = new Set(commits).size - shown.length
  return `committed ${listed(more > 0 ? [...shown, plural(more, 'more commit')] : shown)}`
}

export function tellingCommits(commits: readonly string[], most: number): string[] {
  const distinct = [...new Set(commits)].filter((subject) => quotedPart(subject, 3) !== '')
  const telling = distinct.filter((subject) => saysSomething(subject) && !isRoutine(subject))
  const all = telling.length > 0 ? telling : distinct
  if (all.length <= most) return all
  return most === 1 ? all.slice(0, 1) : [...all.slice(0, most - 1), ...all.slice(-1)]
}

export function fileWords(files: readonly string[], { most }: Room): string {
  const named = files
    .map((file) => file.replace(/^.*\//, ''))
    .filter((file) => file !== '' && file.length <= 60 && !/[“”|[\]`<>\\]/.test(file))
  const shown = [...new Set(named)].slice(0, most)
  if (shown.length === 0) return ''
  const more = files.length - shown.length
  return `changed ${listed(more > 0 ? [...shown, plural(more, 'more file')] : shown)}`
}

export function testWords(tests: Done['tests']): string {
  if (tests === null) return ''
  return tests === 'red' ? 'tests still fail' : tests === 'mended' ? 'tests pass after failing' : 'tests pass'
}

export function listed(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}

export function deedWords(done: Done, room: Room): string[] {
  const issue = quotedPart(done.issues.at(-1) ?? '', room.words)
  return [
    pullWords(done, room),
    commitWords(done, room),
    done.commits.length > 0 ? '' : quotedPart(done.merges.at(-1) ?? '', 6),
    issue === '' ? '' : `opened the issue “${issue}”`,
    fileWords(done.files, room),
    testWords(done.tests),
  ].filter((part) => part !== '')
}
