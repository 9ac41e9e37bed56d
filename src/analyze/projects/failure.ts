import { redactVisible } from '../../core/redact.ts'
import type { ProjectCommand } from './commands.ts'
import type { Fact } from './fact.ts'

const LONGEST = 200
const SAYS_NOTHING =
  /^(?:(?:exit(?:ed)?|process|command|error|make|task|npm|ok|FAIL|PASS|---|===|\[[\w:-]+\])?\W{0,4}(?:exit(?:ed)? (?:with )?(?:code|status):? ?-?\d+|FAIL(?:ED)?\b.{0,80}|--- FAIL.{0,120}|.{0,40}task failed|failed|error|\d+ (?:tests? )?(?:failed|failing|errors?|problems?).{0,60}|npm (?:ERR!|error).{0,40}|E {3}.*|\d+ issues?:?))\W*$/i
const OWN_CODE =
  /\.(?:go|ts|tsx|js|py|rs|rb|java|kt|c|cc|cpp|cs|php|swift)[:(]\d+|\bexpected\b|\bassert|\bgot\b.*\bwant\b|\bundefined:|syntax error|unused|declared and not used|Traceback|error TS\d|error\[E\d|goroutine|\bat .+:\d+|panic:|\(\d+\.\d+s\)|No such file or directory$/i

export function failureOf(command: string, lines: readonly string[], own: ProjectCommand | undefined): Fact | undefined {
  const found = lines.map((one) => one.trim()).find((one) => one.length >= 16 && !SAYS_NOTHING.test(one) && !OWN_CODE.test(one))
  if (found === undefined) return undefined
  // Redact before cutting or lowercasing: half a secret is not recognised.
  const line = redactVisible(found)
  const form = own?.form ?? programOf(command)
  return form === undefined
    ? undefined
    : { kind: 'failure', key: signature(line), value: line.slice(0, LONGEST), detail: { command: form }, isForeign: true }
}

export function signature(line: string): string {
  return line
    .toLowerCase()
    .replace(/\b[0-9a-f]{7,40}\b|\b0x[0-9a-f]+\b/g, '#')
    .replace(/(?:\/[\w.@~-]+){2,}\/?|[a-z]:\\\S+/g, '/…')
    .replace(/'[^']{1,80}'|"[^"]{1,80}"|`[^`]{1,80}`/g, '…')
    .replace(/\d+/g, '0')
    .slice(0, 120)
}

function programOf(command: string): string | undefined {
  const plain = command
    .replace(/^(?:\s*(?:cd|export|set|source)\s[^\n;&]*(?:&&|;|\n)\s*)+/, '')
    .replace(/^(?:[A-Z_]+=\S*\s+)+/, '')
    .trim()
  const words = plain.split(/\s+/)
  const [program = ''] = words
  if (
    !/^[\w./-]{2,40}$/.test(program) ||
    /^(?:cat|ls|grep|rg|find|sed|awk|head|tail|echo|test|rm|cp|mv|which|for|if|while|\[|python3?|node|bash|sh|jq)$/.test(program)
  )
    return undefined
  const second = words.slice(1).find((word) => !word.startsWith('-'))
  return second !== undefined && /^[a-z][\w:-]{1,30}$/.test(second) ? `${program} ${second}` : program
}
