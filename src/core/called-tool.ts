/**
 * The tool call in a hook's payload. Harnesses with command hooks share the field names; our plugins use them, too. Imports nothing: part
 * of the hook gate.
 */

export interface CalledTool {
  /** As the harness names it: `Bash`, `apply_patch`, `run_shell_command`. */
  readonly name: string
  readonly command?: string
  /** Files it writes. */
  readonly files: readonly string[]
}

type Fields = Readonly<Record<string, unknown>>

const LONGEST_COMMAND = 20_000
const LONGEST_PATH = 1_000
const MOST_FILES = 20
const LONGEST_PATCH = 400_000
const FILE_KEYS = ['file_path', 'filePath', 'notebook_path', 'target_file', 'absolute_path', 'path'] as const
const RESPONSE_KEYS = ['tool_response', 'tool_output', 'result_json', 'output'] as const
const WRITES = /edit|write|replace|patch|create|insert/i
const PATCHED = /^\*\*\* (?:Update|Delete|Add) File: (.{1,1000})$/gm
const EXITED =
  /(?:^|\n)(?:Exit[ -]code:?|Process exited with code|Command (?:exited|failed) with (?:exit )?code|exited with code)\s{0,4}(-?\d{1,5})/i
const EDGE = 2_000

export function calledTool(payload: Fields): CalledTool | undefined {
  const name = payload.tool_name
  if (typeof name !== 'string' || name === '') return undefined
  const input = fieldsOf(payload.tool_input)
  const patch = patchIn(name, input)
  if (patch !== undefined) return { name, files: [...patch.matchAll(PATCHED)].slice(0, MOST_FILES).map(([, path = '']) => path.trim()) }
  const command = commandIn(input)
  if (command !== undefined) return { name, command, files: [] }
  const path = WRITES.test(name) ? FILE_KEYS.map((key) => input[key]).find((value) => typeof value === 'string' && value !== '') : undefined
  return { name, files: typeof path === 'string' && path.length <= LONGEST_PATH ? [path] : [] }
}

/** Codex passes the patch as the tool's command. */
function patchIn(name: string, input: Fields): string | undefined {
  const text = [input.patch, input.input, input.command].find((value): value is string => typeof value === 'string')
  return text !== undefined && (/patch/i.test(name) || text.startsWith('*** Begin Patch')) ? text.slice(0, LONGEST_PATCH) : undefined
}

function commandIn({ command }: Fields): string | undefined {
  const text = Array.isArray(command) ? command.filter((word) => typeof word === 'string').at(-1) : command
  return typeof text === 'string' && text !== '' && text.length <= LONGEST_COMMAND ? text : undefined
}

export function toolResponse(payload: Fields): unknown {
  if (payload.error !== undefined && payload.error !== null) return payload.error
  const key = RESPONSE_KEYS.find((one) => payload[one] !== undefined)
  const response = key === undefined ? undefined : payload[key]
  const fields = typeof response === 'string' ? fieldsOf(response) : {}
  return Object.keys(fields).length > 0 ? fields : response
}

/** Only certain failures: reported by the harness or by an exit code. An interrupted call did not fail. */
export function toolFailed(payload: Fields): boolean {
  if (payload.is_interrupt === true) return false
  const { error } = payload
  if ((typeof error === 'string' && error !== '') || (typeof error === 'object' && error !== null)) return true
  const response = toolResponse(payload)
  if (typeof response === 'string') return textFailed(response)
  const value = fieldsOf(response)
  return [value, fieldsOf(value.metadata)].some(fieldsFailed) || (typeof value.llmContent === 'string' && textFailed(value.llmContent))
}

function fieldsFailed(value: Fields): boolean {
  const code = ['exit_code', 'exitCode', 'exit', 'returncode'].map((key) => value[key]).find((one) => typeof one === 'number')
  if (code !== undefined) return code !== 0
  return value.is_error === true || value.isError === true || value.success === false || (value.error !== undefined && value.error !== null)
}

function textFailed(text: string): boolean {
  const value = text.startsWith('{') ? fieldsOf(text) : {}
  if (fieldsFailed(value) || fieldsFailed(fieldsOf(value.metadata))) return true
  const code = EXITED.exec(text.slice(0, EDGE)) ?? EXITED.exec(text.slice(-EDGE))
  return code !== null && Number(code[1]) !== 0
}

/** Also accepts an object as JSON text. */
function fieldsOf(value: unknown): Fields {
  if (typeof value === 'string' && value.startsWith('{')) {
    try {
      return fieldsOf(JSON.parse(value) as unknown)
    } catch {
      return {}
    }
  }
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
}
