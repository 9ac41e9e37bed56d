/** The answer goes to stdout, all else to stderr. With --json: one document, and JSON lines on stderr. */
import { MnemonicError } from '../core/error.ts'
import { given } from '../core/given.ts'
import { escapeMarksDeep, NOTICE } from '../core/marked-text.ts'
import { redactValues, redactVisible } from '../core/redact.ts'
import { callerIsAgent } from './caller-is-agent.ts'
import { wrap } from './format/layout.ts'
import { type Style, style } from './format/style.ts'
import type { Io } from './io.ts'
import { asCalledHere, ownCommand } from './own-command.ts'

export interface Output {
  readonly json: boolean
  readonly forAgent: boolean
  readonly style: Style
  readonly width: number
  readonly columns: number
  readonly isTTY: boolean
  /** Rewrites commands in our text to how they are called here (`npx agent-mnemonic …`). */
  ours(text: string): string
  answer(document: unknown, text: () => string): void
  warn(message: string): void
  warnings(messages: readonly string[]): void
  hint(message: string): void
  error(error: MnemonicError, options: { readonly debug: boolean }): void
}

export interface OutputOptions {
  readonly json: boolean
  readonly color: boolean
  readonly forAgent?: boolean | undefined
}

const PLAIN_WIDTH = 100
const WIDEST = 120

export function output(io: Io, { json, color, forAgent }: OutputOptions): Output {
  const out = style(!json && color && wantsColor(io.env, io.isTTY.stdout))
  const err = style(!json && color && wantsColor(io.env, io.isTTY.stderr))
  const say = (key: string, value: unknown, text: string) => io.stderr.write(json ? `${jsonText({ [key]: value })}\n` : `${text}\n`)
  // Wraps on a terminal; elsewhere lines stay whole for programs.
  const errWidth = io.isTTY.stderr && !json ? Math.max(io.columns || PLAIN_WIDTH, 40) : undefined
  const fitted = (text: string, paint: Style['bold'] = (one) => one) => {
    const lines = errWidth === undefined ? text : wrap(text, errWidth)
    return paint === err.dim ? err.dim(lines) : lines.replace(/^\w+:/, paint)
  }
  // Messages quote paths and source text, which may hold secrets.
  const warn = (message: string) => say('warning', redactVisible(message), fitted(`warning: ${redactVisible(message)}`, err.yellow))
  const command = ownCommand(io)
  const ours = (text: string) => asCalledHere(text, command)
  const columns = io.isTTY.stdout ? Math.max(io.columns || PLAIN_WIDTH, 40) : PLAIN_WIDTH
  const byAgent = forAgent ?? (!io.isTTY.stdout && callerIsAgent(io.env))
  // As in MCP's structured content: no value can forge a mark, and a notice calls the texts data.
  const document = (value: unknown) => (byAgent ? told(escapeMarksDeep(value)) : value)
  return {
    json,
    forAgent: !json && byAgent,
    style: out,
    width: Math.min(columns, WIDEST),
    columns,
    isTTY: io.isTTY.stdout,
    answer: (value, text) => io.stdout.write(json ? `${jsonText(document(value), 2)}\n` : withNewline(text())),
    ours,
    warn,
    warnings(messages) {
      if (!json) messages.forEach(warn)
    },
    hint(message) {
      const text = redactVisible(ours(message))
      say('hint', text, fitted(text, err.dim))
    },
    error(error, { debug }) {
      const trace = debug ? traces(error) : []
      const advice = error.hint === undefined ? undefined : ours(error.hint)
      const told = { ...error.toJSON(), ...given({ hint: advice }) }
      const document = redactValues(trace.length === 0 ? told : { ...told, stack: trace.join('\n') })
      const hint = advice === undefined ? [] : [fitted(`try: ${redactVisible(advice)}`, (word) => err.dim(word))]
      say('error', document, [fitted(`error: ${redactVisible(error.message)}`, err.red), ...hint, ...trace.map(redactVisible)].join('\n'))
    },
  }
}

function told(value: unknown): unknown {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? { notice: NOTICE, ...value } : value
}

/** FORCE_COLOR wins over NO_COLOR, as in Node. */
export function wantsColor(env: Io['env'], isTTY: boolean): boolean {
  const force = env.FORCE_COLOR
  if (force !== undefined) return force !== '0' && force !== 'false'
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== '') return false
  return isTTY && env.TERM !== 'dumb'
}

/** Escapes C1 controls, which a terminal would obey, and bidirectional marks. */
export function jsonText(document: unknown, indent = 0): string {
  const text = JSON.stringify(document, undefined, indent)
  return text.replace(
    /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

function withNewline(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`
}

function traces(error: Error): string[] {
  const stacks: string[] = []
  for (let current: unknown = error; current instanceof Error; current = current.cause) {
    stacks.push(current.stack ?? String(current))
    if (stacks.length > 5 || (current instanceof MnemonicError && current.cause === undefined)) break
  }
  return stacks
}
