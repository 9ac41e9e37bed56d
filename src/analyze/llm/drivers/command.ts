/** A model behind a local program, such as a harness with a subscription: prompt on stdin, answer on stdout. */
import { ANALYSIS_MARK } from '../../../core/analysis-session.ts'
import { ANALYSIS_VARIABLE } from '../../../core/own-process.ts'
import { redactVisible } from '../../../core/redact.ts'
import { throwIfStopped } from '../../../core/stopped.ts'
import { oneLine, plural } from '../../../core/text.ts'
import type { Failure } from '../../../embed/remote/failure.ts'
import type { Driver } from '../driver.ts'
import { modelFailed } from '../language-model.ts'
import { knownProgram } from './known-programs.ts'
import { runProgram } from './run-program.ts'

export interface CommandOptions {
  readonly command: readonly string[]
  readonly model: string | undefined
  readonly env: NodeJS.ProcessEnv
  readonly keyVariable: string | undefined
  readonly mostBytes?: number
}

const MOST_BYTES = 4 * 1024 * 1024
const LONGEST_WHY = 200

/** Enough to find the program, its login and the network. No API keys. */
const PASSED =
  /^(?:PATH|HOME|USER|LOGNAME|LANG|LC_ALL|LC_CTYPE|TMPDIR|TMP|TEMP|XDG_\w+|DBUS_SESSION_BUS_ADDRESS|CLAUDE_CONFIG_DIR|CODEX_HOME|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|SSL_CERT_DIR|https?_proxy|no_proxy|all_proxy|SystemRoot|ComSpec|PATHEXT|USERPROFILE|APPDATA|LOCALAPPDATA|HOMEDRIVE|HOMEPATH)$/i

export function commandDriver({ command, model, env, keyVariable, mostBytes = MOST_BYTES }: CommandOptions): Driver {
  const [file = '', ...written] = command
  const known = knownProgram(file)
  const target = { provider: 'command', model: model ?? file, address: file }
  const failed = (message: string, more: Partial<Failure> & { hint?: string; fault?: 'input' | 'provider' } = {}): { failure: Failure } => {
    const { hint, fault = 'provider', retryable = false, ...rest } = more
    return { failure: { error: modelFailed(message, { fault, ...target }, hint === undefined ? {} : { hint }), retryable, ...rest } }
  }

  return {
    ...target,
    async call({ instructions, text }, { signal, timeoutMs }) {
      const prompt = `${ANALYSIS_MARK}\n\n${instructions}\n\n${text}\n`
      const args = known?.args(written, model) ?? written
      const ended = await runProgram({ file, args, env: minimal(env, keyVariable), stdin: prompt }, { timeoutMs, mostBytes, signal })
      switch (ended.how) {
        case 'stopped':
          throwIfStopped(signal, 'the analysis')
          return failed(`${file} was stopped`)
        case 'missing':
          return failed(`${file} cannot be run: ${ended.code}`, {
            hint: 'Check analyze.command in config.yaml: is the program on your PATH?',
          })
        case 'timeout':
          return failed(`${file} did not answer within ${plural(Math.round(timeoutMs / 1000), 'second')} and was ended`, {
            ...{ timedOut: true, hint: 'Raise analyze.timeout_seconds, or run it by hand: does it wait for something?' },
          })
        case 'refused':
          return failed(`${file} was ended: ${ended.why}`)
        case 'flood':
          return failed(`${file} printed more than ${Math.round(mostBytes / 1024)} KB and was ended`, { fault: 'input', timedOut: true })
        default: {
          if (ended.code !== 0) {
            const why = ownWords(ended.stderr, prompt)
            const how = ended.code === null ? 'was ended by a signal' : `ended with code ${ended.code}`
            return failed(`${file} ${how}${why}`, { retryable: true, hint: 'Run it by hand: is it logged in?' })
          }
          const printed = known?.read(ended.stdout) ?? { text: ended.stdout }
          if (printed.failed !== undefined) return failed(`${file} failed${ownWords(printed.failed, prompt)}`, { retryable: true })
          return { text: printed.text, usage: printed.usage }
        }
      }
    },
  }
}

export function minimal(env: NodeJS.ProcessEnv, keyVariable: string | undefined): Record<string, string> {
  const passed: Record<string, string> = { NO_COLOR: '1', TERM: 'dumb', [ANALYSIS_VARIABLE]: '1' }
  for (const [name, value] of Object.entries(env))
    if (value !== undefined && (PASSED.test(name) || name === keyVariable)) passed[name] = value
  return passed
}

/** A shared run of this length means the program echoes the prompt. */
const REPEATED = 16

/** Last line of stderr. Empty if it quotes the prompt, as some harnesses do. */
export function ownWords(stderr: string, prompt: string): string {
  const line = redactVisible(stderr).trim().split('\n').at(-1)?.trim() ?? ''
  const shown = oneLine(line, LONGEST_WHY)
  if (shown === '') return ''
  for (let at = 0; at + REPEATED <= shown.length; at++) if (prompt.includes(shown.slice(at, at + REPEATED))) return ''
  return shown.length < REPEATED && prompt.includes(shown) ? '' : `: ${shown}`
}
