import { plural, stripControls } from '../../core/text.ts'
import type { ForgetPlan, ForgetReport } from '../../library/index.ts'
import { quoted } from './for-agent.ts'
import { bytes, localTime } from './quantity.ts'

const NAMES: Readonly<Record<string, readonly [one: string, many: string]>> = {
  call_params: ['set of tool parameters', 'sets of tool parameters'],
  call_result: ['tool result', 'tool results'],
  value: ['single value', 'single values'],
  thread: ['conversation', 'conversations'],
  document: ['document in the index', 'documents in the index'],
  derived: ['derived row', 'derived rows'],
  operations: ['entry in a log', 'entries in logs'],
}

const NOTES: Readonly<Record<string, string>> = {
  other: ' (not a file of Mnemonic: left as it is)',
  export: ' (an export: write it again, or remove it)',
  git: ' (a git repository: its history holds it)',
  backup: ' (a backup that could not be cleaned)',
}

export function isEmptyPlan({ would_remove }: ForgetPlan): boolean {
  return Object.values(would_remove).every((count) => count === 0)
}

export function formatPlan(plan: ForgetPlan): string {
  if (isEmptyPlan(plan)) return 'Nothing in the memory contains it.'
  const shown = plan.sessions.slice(0, 20)
  const more = plan.sessions.length - shown.length
  return [
    'Would be removed:',
    ...kinds(plan.would_remove),
    ...plan.records.slice(0, MOST_SHOWN).flatMap(record),
    ...(plan.records.length > MOST_SHOWN ? ['  … more of them with --json'] : []),
    ...(plan.sessions.length === 0 ? [] : [`From ${plural(plan.sessions.length, 'session')}:`]),
    ...shown.map((id) => `  ${id}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
    ...plannedSubagents(plan),
  ].join('\n')
}

const MOST_SHOWN = 20
const MOST_COMMANDS = 5

function stay(count: number): string {
  return count === 1
    ? '1 subagent that it started stays. To forget it too:'
    : `${count} subagents that it started stay. To forget them too:`
}

function plannedSubagents({ subagents, sessions }: ForgetPlan): string[] {
  return subagents.length === 0 ? [] : [`${stay(subagents.length)} mnemonic forget --session ${quoted(sessions[0] ?? '')} --with-subagents`]
}

/** The session is gone, so each subagent needs its own command. */
function leftSubagents({ subagents = [] }: ForgetReport): string[] {
  if (subagents.length === 0) return []
  const commands = subagents.slice(0, MOST_COMMANDS).map((id) => `  mnemonic forget --session ${quoted(id)}`)
  const more = subagents.length - commands.length
  return [stay(subagents.length), ...commands, ...(more > 0 ? [`  and ${more} more, in the receipt`] : [])]
}

function record({ kind, title, timestamp, text }: ForgetPlan['records'][number]): string[] {
  const what = [...(timestamp === null ? [] : [localTime(timestamp)]), nameOf(kind), ...(title === null ? [] : [`in “${title}”`])]
  return [`  ${what.join(' · ')}`, ...(text === '' ? [] : [`    ${text}`])].map(stripControls)
}

function nameOf(kind: string): string {
  return (NAMES[kind] ?? [kind.replaceAll('_', ' ').replace(/s$/, '')])[0]
}

function kinds(counts: Readonly<Record<string, number>>): string[] {
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => {
      const [one, many] = NAMES[kind] ?? [kind.replaceAll('_', ' ').replace(/s$/, '')]
      return `  ${plural(count, one, many)}`
    })
}

const RESUMED = 'An interrupted forgetting was finished. To have it proven, run forget for it once more.'
const UNPROVEN = 'It is removed. This cannot be proven by a search for its text: what it said is too short, or was also said elsewhere.'

export function formatReceipt(report: ForgetReport): string {
  const { scan, still_held, status } = report
  const removed = kinds(report.removed)
  const lines = removed.length === 0 ? ['Nothing in the memory contained it.'] : ['Removed:', ...removed]
  if (status === 'removed') lines.push(report.reason === 'resumed' ? RESUMED : UNPROVEN)
  else
    lines.push(
      `Read ${plural(scan.files, 'file')} (${bytes(scan.bytes)}): ${status === 'gone' ? 'nothing of it is left' : 'still held by'}`,
    )
  for (const { path, owner } of still_held) lines.push(`  ${path}${NOTES[owner] ?? ''}`)
  for (const path of scan.unreadable) lines.push(`  ${path} (cannot be read)`)
  for (const { command } of report.git) lines.push(`To take it out of that history: ${command}`, 'Then: mnemonic memory recover')
  lines.push(...leftSubagents(report))
  for (const path of scan.undecoded) lines.push(`  ${path} (compressed, encrypted or damaged: not looked into)`)
  lines.push(`Receipt: ${report.receipt_path}`)
  return lines.join('\n')
}
