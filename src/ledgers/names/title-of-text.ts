import { oneLine } from '../../core/text.ts'
import { isProgramLine, saysSomething } from './says-something.ts'

export const LONGEST_TITLE = 120
/** No title starts later. */
const READ = 16 * 1024
const HEADING = /^ {0,3}#{1,3}[ \t]+(\S.*)$/m
const PLAN_PROMPT = /^\s*(?:please )?implement (?:the following|this) plan\b[^\n]*\n/i
const PLAN_WORD = /^(?:(?:implementation |feature |fix |refactoring )?plan|spec|proposal|rfc)\s*(?:[:–—-]|for\b|to\b)\s*/i
const PLAN_END = /\s*[-–—:]?\s*\(?(?:implementation )?plan\)?$/i

export function planTitle(plan: string): string | undefined {
  const heading = HEADING.exec(plan.slice(0, READ))?.[1]?.replace(/[ \t]+#+$/, '')
  if (heading === undefined) return undefined
  const bare = [PLAN_WORD, PLAN_END].reduce((text, pattern) => text.replace(pattern, ''), heading.trim())
  const title = oneLine(plain(saysSomething(bare) ? bare : heading), LONGEST_TITLE)
  return saysSomething(title) ? title : undefined
}

export function handedPlan(prompt: string): string | undefined {
  const said = prompt.slice(0, READ)
  return PLAN_PROMPT.test(said) ? planTitle(said.replace(PLAN_PROMPT, '')) : undefined
}

const NO_PROMPT =
  /^\s*(?:This session is being continued from a previous conversation|\[Request interrupted|Operation stopped by hook|Caveat: The messages below|<(?:command-|local-command|bash-|system-reminder|environment_context|user_instructions|task-notification)|# AGENTS\.md instructions|API Error)/i
const TAGGED = /<([a-z][\w-]*)>[\s\S]*?<\/\1>/gi
const FENCED = /^ {0,3}(```|~~~)[\s\S]*?^ {0,3}\1[^\n]*$/gm
const LINE_START = /^(?:[>❯›»•*–—$-]+\s+|#{1,6}\s+|\d{1,2}[.)]\s+|[A-Za-z][.)]\s+)+/

/** Starts at the first meaningful line; undefined if there is none. */
export function promptTitle(prompt: string): string | undefined {
  const said = prompt.slice(0, READ)
  if (NO_PROMPT.test(said)) return undefined
  const text = said.replace(PLAN_PROMPT, '').replace(TAGGED, ' ').replace(FENCED, '\n')
  const lines = text.split('\n').map((line, i) => {
    const trimmed = line.trim()
    // Text after a shell prompt is a command, except on the first line, which a person may have pasted.
    return i > 0 && /^[❯›$%]/.test(trimmed) ? '' : trimmed.replace(LINE_START, '').trim()
  })
  const first = lines.findIndex((line) => isWorthy(line))
  if (first === -1) return undefined
  // A short line such as "Two things:" needs the next one.
  const title = lines.slice(first).filter((line) => line !== '' && !isProgramLine(line))
  return oneLine(plain(title.join(' ')), LONGEST_TITLE) || undefined
}

export function anyTitle(prompt: string): string | undefined {
  if (NO_PROMPT.test(prompt)) return undefined
  return oneLine(prompt.replace(TAGGED, ' '), LONGEST_TITLE) || oneLine(prompt, LONGEST_TITLE) || undefined
}

function isWorthy(line: string): boolean {
  return line !== '' && !line.startsWith('/') && !isProgramLine(line) && saysSomething(line)
}

function plain(text: string): string {
  return text.replace(/\*\*([^*]+)\*\*/g, '$1').replace(/\[([^[\]]{1,1000})\]\([^()\n]{0,1000}\)/g, '$1')
}
