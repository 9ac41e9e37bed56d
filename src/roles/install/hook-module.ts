/** Source shared by the JavaScript plugins. It fails silently: no memory is better than a broken harness. */
import { hookWords, type Program } from './program.ts'

export function hookModule(program: Program, harness: string): string {
  const [command, ...args] = hookWords(program, harness, 'EVENT')
  return `const COMMAND = ${JSON.stringify(command)}
const ARGUMENTS = ${JSON.stringify(args)}

/** What \`mnemonic hook\` answers to one event; undefined where it has nothing to say, fails or takes too long. */
function hook(event, call, patienceMs) {
  return new Promise((resolve) => {
    let said = ''
    const child = spawn(COMMAND, ARGUMENTS.map((word) => (word === 'EVENT' ? event : word)), { stdio: ['pipe', 'pipe', 'ignore'] })
    const timer = setTimeout(() => child.kill('SIGKILL'), patienceMs)
    const end = (text) => {
      clearTimeout(timer)
      resolve(text)
    }
    child.on('error', () => end(undefined))
    child.stdin.on('error', () => undefined)
    child.stdout.setEncoding('utf8').on('data', (text) => (said += text))
    child.on('close', (code) => end(code === 0 ? contextOf(said) : undefined))
    child.stdin.end(JSON.stringify({ hook_event_name: event, ...call }))
  })
}

/** The text for the model, in whichever form it was answered. */
function contextOf(said) {
  const text = said.trim()
  if (text === '') return undefined
  if (!text.startsWith('{')) return text
  try {
    const answer = JSON.parse(text)
    const context = answer.hookSpecificOutput?.additionalContext ?? answer.additional_context ?? answer.additionalContext
    return typeof context === 'string' && context !== '' ? context : undefined
  } catch {
    return undefined
  }
}
`
}
