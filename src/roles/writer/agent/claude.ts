/** Allows only Bash, and of it only the two scripts. Everything else is denied without a question. */
import { SEARCH_SCRIPT, WRITE_SCRIPT } from '../../../analyze/llm/prompts/memory-writer.ts'
import { type HeadlessHarness, missingFlags, parsedLine, tokensIn } from './harness.ts'

const SCRIPTS = [SEARCH_SCRIPT, WRITE_SCRIPT].flatMap((script) => [`Bash(${script}:*)`, `Bash(./${script}:*)`])

/** Without settings, hooks, MCP servers and commands of owner or project; keeps no session. */
const FLAGS: readonly (readonly string[])[] = [
  ['--output-format', 'stream-json'],
  ['--verbose'],
  ['--tools', 'Bash'],
  ['--allowedTools', SCRIPTS.join(',')],
  ['--permission-mode', 'dontAsk'],
  ['--strict-mcp-config'],
  ['--setting-sources', ''],
  ['--settings', '{"disableAllHooks":true}'],
  ['--disable-slash-commands'],
  ['--no-session-persistence'],
]

const INPUTS = ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens']

export const claude: HeadlessHarness = {
  name: 'claude',
  args(written, { mostTurns }) {
    const asked = written.includes('-p') || written.includes('--print') ? written : [...written, '-p']
    return [...asked, ...missingFlags(asked, [...FLAGS, ['--max-turns', String(mostTurns)]])]
  },
  read(stdout) {
    const lines = stdout.split('\n').map(parsedLine)
    const result = lines.findLast((line) => line?.type === 'result')
    if (result === undefined) return { text: '', failed: 'it gave no result' }
    const usage = tokensIn(result.usage, INPUTS, 'output_tokens')
    const denied = Array.isArray(result.permission_denials) ? result.permission_denials.length : 0
    const said = typeof result.result === 'string' ? result.result : ''
    if (result.is_error === true || said === '')
      return { text: '', usage, denied, failed: said || String(result.subtype ?? 'it gave no answer') }
    return { text: said, usage, denied }
  },
  usageIn(line) {
    const { type, message } = parsedLine(line) ?? {}
    if (type !== 'assistant' || typeof message !== 'object' || message === null) return undefined
    const { id, usage } = message as { id?: unknown; usage?: unknown }
    const taken = tokensIn(usage, INPUTS, 'output_tokens')
    // Each part of an answer is a line that repeats the usage of the whole answer.
    return taken === undefined ? undefined : { answer: String(id ?? line), usage: taken }
  },
}
