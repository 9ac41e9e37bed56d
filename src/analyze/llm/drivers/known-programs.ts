/**
 * Makes a harness only answer: no tools, hooks, project settings or stored session. The owner's own flags win. Unknown programs run as
 * written and must print JSON.
 */
import { basename } from 'node:path'
import type { Tokens } from '../../../store/spend.ts'

export interface KnownProgram {
  args(written: readonly string[], model: string | undefined): string[]
  read(stdout: string): Printed
}

export interface Printed {
  readonly text: string
  readonly usage?: Tokens
  readonly failed?: string
}

export function knownProgram(file: string): KnownProgram | undefined {
  const name = basename(file).replace(/\.(?:exe|cmd)$/i, '')
  return Object.hasOwn(PROGRAMS, name) ? PROGRAMS[name] : undefined
}

/** `--bare` would be shorter but ignores subscriptions. */
const CLAUDE: readonly (readonly [flag: string, ...values: string[]])[] = [
  ['--output-format', 'json'],
  ['--system-prompt', 'You read a text and answer with one JSON object, and nothing else.'],
  ['--tools', ''],
  ['--strict-mcp-config'],
  ['--setting-sources', ''],
  ['--settings', '{"disableAllHooks":true}'],
  ['--disable-slash-commands'],
  ['--no-session-persistence'],
]

const CODEX: readonly (readonly [flag: string, ...values: string[]])[] = [
  ['--json'],
  ['--ephemeral'],
  ['--skip-git-repo-check'],
  ['--ignore-user-config'],
  ['--ignore-rules'],
  ['--sandbox', 'read-only'],
]

const CODEX_SETTINGS = [
  'features.shell_tool=false',
  'features.hooks=false',
  'web_search="disabled"',
  'project_doc_max_bytes=0',
  'mcp_servers={}',
]

const PROGRAMS: Readonly<Record<string, KnownProgram>> = {
  claude: {
    args(written, model) {
      const asked = written.includes('-p') || written.includes('--print') ? written : [...written, '-p']
      return [...asked, ...missing(asked, CLAUDE), ...named(asked, model, ['--model'])]
    },
    read: readClaude,
  },
  codex: {
    args(written, model) {
      const asked = written.includes('exec') || written.includes('e') ? written.filter((word) => word !== '-') : ['exec', ...written]
      const settings = CODEX_SETTINGS.flatMap((setting) => ['-c', setting])
      return [...asked, ...missing(asked, CODEX), ...settings, ...named(asked, model, ['--model', '-m']), '-']
    },
    read: readCodex,
  },
}

function missing(written: readonly string[], flags: readonly (readonly string[])[]): string[] {
  return flags.filter(([flag]) => !written.some((word) => word === flag || word.startsWith(`${flag}=`))).flat()
}

function named(written: readonly string[], model: string | undefined, flags: readonly string[]): string[] {
  const isWritten = written.some((word) => flags.some((flag) => word === flag || word.startsWith(`${flag}=`)))
  return model === undefined || isWritten ? [] : [flags[0] as string, model]
}

interface ClaudeResult {
  readonly type?: unknown
  readonly result?: unknown
  readonly is_error?: unknown
  readonly usage?: Readonly<Record<string, unknown>>
}

/** One object, or a list of messages that ends with the result. */
function readClaude(stdout: string): Printed {
  const printed = json(stdout)
  const all = (Array.isArray(printed) ? printed : [printed]) as (ClaudeResult | null | undefined)[]
  const result = all.findLast((one) => one?.type === 'result')
  if (typeof result?.result !== 'string') return { text: stdout }
  if (result.is_error === true) return { text: '', failed: result.result }
  const {
    input_tokens: input,
    cache_creation_input_tokens: written,
    cache_read_input_tokens: read,
    output_tokens: output,
  } = result.usage ?? {}
  const usage = usageOf([input, written, read], output)
  return usage === undefined ? { text: result.result } : { text: result.result, usage }
}

interface CodexLine {
  readonly type?: unknown
  readonly item?: { readonly type?: unknown; readonly text?: unknown }
  readonly usage?: Readonly<Record<string, unknown>>
  readonly error?: { readonly message?: unknown }
  readonly message?: unknown
}

/** JSON lines; the last message is the answer. */
function readCodex(stdout: string): Printed {
  const lines = stdout.split('\n').map((line) => json(line) as CodexLine | undefined)
  if (!lines.some((line) => typeof line?.type === 'string')) return { text: stdout }
  const said = lines.findLast((line) => line?.type === 'item.completed' && line.item?.type === 'agent_message')?.item?.text
  const failed = lines.findLast((line) => line?.type === 'turn.failed' || line?.type === 'error')
  if (typeof said !== 'string') {
    const why = failed?.error?.message ?? failed?.message
    return { text: '', failed: typeof why === 'string' ? why : 'it gave no answer' }
  }
  const { input_tokens: input, output_tokens: output } = lines.findLast((line) => line?.type === 'turn.completed')?.usage ?? {}
  const usage = usageOf([input], output)
  return usage === undefined ? { text: said } : { text: said, usage }
}

function usageOf(inputs: readonly unknown[], output: unknown): Tokens | undefined {
  if (typeof inputs[0] !== 'number' || typeof output !== 'number') return undefined
  return { input: inputs.reduce((sum: number, one) => sum + (typeof one === 'number' ? one : 0), 0), output }
}

function json(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
