import { cutMarked, hasMarked } from '../../core/marked-text.ts'
import { deedsOf, type FileDeed } from '../../ledgers/deeds/deeds.ts'
import { openedParams, parsed, valuesOf } from '../../ledgers/deeds/json.ts'
import { namedDeeds } from '../../ledgers/deeds/params.ts'
import { resultOf, type ToolCall } from '../../ledgers/deeds/result.ts'
import { simpleCommands } from '../../ledgers/deeds/shell-words.ts'
import { type ToolKind, toolKind } from '../../ledgers/deeds/tools.ts'
import { projectCommands } from '../projects/commands.ts'
import { commandOf, pathOf } from '../projects/file-content.ts'
import { asksOnly, type CommandKey, shellKey, toolKey } from './command-key.ts'
import { bothEnds, type ErrorLine, errorLines } from './signature.ts'

export interface Trial {
  readonly kind: ToolKind
  readonly tool: string
  readonly key: CommandKey | undefined
  /** Unknown: refused, in the background, without a result, or masked by a later command. */
  readonly state: 'passed' | 'failed' | 'unknown'
  readonly errors: readonly ErrorLine[]
  readonly files: readonly FileDeed[]
  readonly command: string | undefined
  readonly params: unknown
  readonly printed?: () => ReadonlySet<string>
}

const BACKGROUND = /^(?:Command (?:running|was manually) |Background )|running in (?:the )?background/i
const END = 6_000
const EDGE = 2_000
const COMPLAINS = /\berrors?\b|\bfail|✗|✘|×|❌|\bcannot\b|exit(?:ed)? (?:code|status) [1-9]/i
const NO_COMPLAINT = /\b(?:0|no) (?:errors?|fail(?:ed|ures?|ing)?)\b|\b(?:errors?|failed|failures?): 0\b/gi
/** With a hidden exit code, only these prove a failure. */
const SURELY_FAILED = /^(?:fatal|error|Error): |\bERROR task failed|^exit status [1-9]|^make(?:\[\d+\])?: \*\*\*/m
const OWN_ERROR = /^(?:[\w./-]{1,40}|\(eval\)(?::\w+)*:\d+): |^(?:fatal|error)\b/i
/** Our commands print memory, which quotes old errors. */
const OWN = /\b(?:mnemonic|cortex-(?:search|write|read))\b/

export function trialOf(call: ToolCall): Trial {
  const kind = toolKind(call.tool_name)
  const tool = call.tool_name ?? 'tool'
  if (kind !== 'shell' && !mayHaveFailed(call)) return passedTool(kind, tool, call)
  const values = valuesOf(call)
  const params = openedParams(values.params)
  const command = kind === 'shell' ? commandOf(params) : undefined
  const result = resultOf(call, values.result)
  const deeds = deedsOf(call, values, result)
  const text = withoutMarked(result.text)
  const printed = withoutMarked(result.coloured)
  const key = command === undefined ? keyOfTool(kind, tool, deeds.files, params) : shellKey(command)
  const base = { kind, tool, key, files: deeds.files, command, params }
  const unknown = { ...base, state: 'unknown', errors: [] } as const
  if (result.refused || call.result_json === null || call.status === 'pending' || key === undefined) return unknown
  if (command === undefined) return result.failed ? failed(base, printed) : { ...base, state: 'passed', errors: [] }
  if (OWN.test(command) || BACKGROUND.test(text.slice(0, 300))) return unknown
  if (result.failed) {
    // A failed query is an answer, unless it complains.
    const found = failed(base, printed)
    return found.errors.length === 0 || (asksOnly(command) && !found.errors.some(({ line }) => OWN_ERROR.test(line))) ? unknown : found
  }
  const passed = { ...base, state: 'passed', errors: [], printed: printedBy(printed) } as const
  if (!isMasked(command)) return passed
  const isOwn = projectCommands(command.replaceAll('||', ';'), { root: null, folder: null }).length > 0
  if (isOwn ? deeds.failed : SURELY_FAILED.test(text.slice(0, 400))) return asksOnly(command) ? unknown : failed(base, printed)
  if (COMPLAINS.test(text.slice(-END).replace(NO_COMPLAINT, ''))) return unknown
  // A filter may hide complaints.
  return isFiltered(command) && (isOwn ? !SURELY_PASSED.test(text) : text.trim() === '') ? unknown : passed
}

function printedBy(text: string): () => ReadonlySet<string> {
  const ends = bothEnds(text)
  return () => new Set(errorLines(ends, Number.POSITIVE_INFINITY).map(({ signature }) => signature))
}

const FILTERS = new Set(['grep', 'egrep', 'fgrep', 'rg', 'awk', 'gawk', 'sed', 'cut', 'wc'])
const SURELY_PASSED =
  /^\s*(?:ok\b|PASS(?:ED)?\b|--- PASS|✓|✔|√)|\b[1-9]\d* (?:passed|passing)\b|\b0 (?:issues|errors|problems|failures|failed)\b/im

function isFiltered(command: string): boolean {
  return simpleCommands(command)?.some(({ piped, words: [first] }) => piped && first !== undefined && FILTERS.has(first.text)) ?? false
}

function mayHaveFailed({ status, result_json: result }: ToolCall): boolean {
  if (status !== 'completed' && status !== 'success' && status !== 'ok') return true
  if (result === null) return true
  const ends = result.length > 2 * EDGE ? result.slice(0, EDGE) + result.slice(-EDGE) : result
  return mayNameFailure(ends) && /"(?:is_?error|isError)": ?true|"success": ?false|"Err"|"exit_?code": ?[1-9]/i.test(ends)
}

const FAILURE_NAMES = ['"iserror"', '"is_error"', '"success"', '"err"', '"exitcode"', '"exit_code"']

function mayNameFailure(text: string): boolean {
  const lower = text.toLowerCase()
  return FAILURE_NAMES.some((name) => lower.includes(name))
}

function passedTool(kind: ToolKind, tool: string, { params_json }: ToolCall): Trial {
  const params = openedParams(parsed(params_json))
  const { files } = namedDeeds(params, kind, { text: '', coloured: '', failed: false, refused: false, existed: undefined })
  return { kind, tool, key: keyOfTool(kind, tool, files, params), state: 'passed', errors: [], files, command: undefined, params }
}

function failed(base: Omit<Trial, 'state' | 'errors'>, printed: string): Trial {
  return { ...base, state: 'failed', errors: errorLines(printed) }
}

function withoutMarked(text: string): string {
  return hasMarked(text) ? cutMarked(text) : text
}

function keyOfTool(kind: ToolKind, tool: string, files: readonly FileDeed[], params: unknown): CommandKey | undefined {
  const named = files[0]?.path ?? pathOf(params)
  return named === undefined ? (kind === 'other' || kind === 'fetch' ? toolKey(tool, '') : undefined) : toolKey(tool, named)
}

function isMasked(command: string): boolean {
  if (/\bpipefail\b/.test(command)) return false
  const simple = simpleCommands(command)
  if (simple === undefined) return true
  return simple.some(({ piped }) => piped) || command.includes('||') || (simple.length > 1 && /[;\n]/.test(command))
}
