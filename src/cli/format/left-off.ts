import { plural } from '../../core/text.ts'
import { ago, clockInZone } from '../../core/time.ts'
import type { LeftOffAnswer, LeftOffSession, LeftOffState } from '../../library/index.ts'
import { printable } from './printable.ts'
import type { Style } from './style.ts'

const MOST_FILES = 8

export function formatLeftOff(
  { project, branch, time, sessions, state, timezone }: LeftOffAnswer,
  { style }: { readonly style: Style },
): string {
  const [first, ...others] = sessions
  if (first === undefined || state === null) return 'No session is known here.'
  const { bold, dim, cyan, yellow } = style
  const facts = [
    `${clockInZone(Date.parse(first.last_message_at), timezone)}, ${ago(Date.parse(first.last_message_at), Date.now())}`,
    first.harness,
    ...(first.branch === null ? [] : [`branch ${first.branch}${branch !== null && branch !== first.branch ? `, now ${branch}` : ''}`]),
  ]
  const row = (name: string, text: string, painted = (one: string) => one) => `  ${dim(name.padEnd(12))}${painted(printable(text))}`
  const lines = [
    ...(time === null
      ? []
      : [
          bold(
            time.sessions === 0 ? `Nothing on ${time.days}. The newest before it:` : `${time.days}: ${plural(time.sessions, 'session')}`,
          ),
        ]),
    `${dim('1')} ${bold(printable(titleOf(first)))} ${dim(project === null ? '' : printable(project))}`.trimEnd(),
    `  ${dim(printable(facts.join(' · ')))}`,
    ...stateRows(state).map(([name, text, isOpen]) => row(name, text, isOpen ? yellow : undefined)),
  ]
  const before = others.map(
    (session, i) => `${dim(String(i + 2))} ${cyan(printable(titleOf(session)))} ${dim(session.last_message_at.slice(0, 10))}`,
  )
  return [...lines, ...(before.length === 0 ? [] : ['', dim('Before'), ...before])].join('\n')
}

function titleOf({ title, id }: LeftOffSession): string {
  return title ?? id
}

type Row = readonly [name: string, text: string, isOpen: boolean]

function stateRows({ done, next, question, interrupted, uncommitted, failing }: LeftOffState): Row[] {
  const turns = done.filter(({ deed }) => deed === null)
  const { files, count, by } = uncommitted
  const shown = files.slice(0, MOST_FILES)
  const more = count > shown.length ? ` and ${plural(count - shown.length, 'more file')}` : ''
  return [
    ...turns.map(({ asked, told }, i): Row => [i === 0 ? 'last turn' : 'earlier', [asked, told].filter(Boolean).join(' → '), false]),
    ...done.flatMap(({ deed }): Row[] => (deed === null ? [] : [['done', deed, false]])),
    ...(interrupted === null ? [] : ([['broken off', interrupted, true]] satisfies Row[])),
    ...(question === null ? [] : ([['it asked', question, true]] satisfies Row[])),
    ...next.map((one, i): Row => [i === 0 ? 'next' : '', one, true]),
    ...(count > 0
      ? ([
          [by === 'git' ? 'uncommitted' : 'changed', `${shown.join(', ')}${more}${by === 'git' ? '' : ' (no commit seen since)'}`, true],
        ] satisfies Row[])
      : []),
    ...(count === 0 && by === 'git' ? ([['committed', 'everything', false]] satisfies Row[]) : []),
    ...(failing === null
      ? []
      : ([['failing', failing.line === null ? failing.command : `${failing.command}: ${failing.line}`, true]] satisfies Row[])),
  ]
}
