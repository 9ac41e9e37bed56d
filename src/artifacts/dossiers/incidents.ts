/** Finds failures and what fixed them, from tool calls alone. Pure. */
import type { Deeds } from '../../ledgers/deeds/deeds.ts'

export interface DoneCall {
  readonly id: string
  readonly message: string | null
  readonly at: number | null
  readonly deeds: Deeds
}

export interface Incident {
  readonly command: string
  readonly errors: readonly string[]
  readonly failures: readonly DoneCall[]
  readonly remedies: readonly DoneCall[]
  readonly passed: DoneCall
}

/** Read-only commands: neither remedies nor incidents. */
const LOOKS =
  /^(?:ls|cat|head|tail|grep|rg|find|sed -n|cd|pwd|echo|which|file|wc|git (?:status|log|diff|show|branch)|sleep|tree|stat|test|\[)\b/
const MOST_APART = 60
const LONGEST_KEY = 3

export function incidentsOf(calls: readonly DoneCall[]): Incident[] {
  const found: Incident[] = []
  const used = new Set<string>()
  for (const [at, call] of calls.entries()) {
    const key = keyOf(call)
    if (!call.deeds.failed || key === undefined || used.has(call.id)) continue
    const next = calls.slice(at + 1, at + 1 + MOST_APART)
    const end = next.findIndex((other) => !other.deeds.failed && keyOf(other) === key)
    const passed = next[end]
    if (passed === undefined) continue
    const failures = [call, ...next.slice(0, end).filter((other) => other.deeds.failed && keyOf(other) === key)]
    const last = failures.at(-1)
    const since = calls.slice(calls.indexOf(last ?? call) + 1, calls.indexOf(passed))
    const remedies = since.filter((other) => !other.deeds.failed && isRemedy(other))
    for (const one of failures) used.add(one.id)
    // Success without a change in between was luck or timing.
    if (remedies.length > 0) found.push({ command: firstCommand(passed) ?? key, errors: call.deeds.lines, failures, remedies, passed })
  }
  return found
}

function isRemedy(call: DoneCall): boolean {
  if (call.deeds.files.some(({ action }) => action !== 'read')) return true
  const command = firstCommand(call)
  return command !== undefined && !LOOKS.test(command)
}

function firstCommand({ deeds }: DoneCall): string | undefined {
  return deeds.commands[0]?.trim()
}

/** Program and first words: `npm test`, `cargo build`, `python -m pytest`. */
function keyOf(call: DoneCall): string | undefined {
  const command = firstCommand(call)
    ?.replace(/^cd\s+\S+\s*&&\s*/, '')
    .replace(/^(?:[A-Z_]+=\S*\s+)+/, '')
    .replace(/\s*(?:2>&1|\||>|&&|;)[\s\S]*$/, '')
    .trim()
  if (command === undefined || command === '' || LOOKS.test(command)) return undefined
  const words = command.split(/\s+/).filter((word) => !word.startsWith('-') || word === '-m')
  return words.slice(0, words[1] === '-m' || words[1] === 'run' ? LONGEST_KEY : 2).join(' ')
}
