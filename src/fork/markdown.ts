/** Context for pasting: each text is labelled and quoted, so that it cannot pass for an instruction. Pure. */
import { escapeMarks, markMemory, NOTICE } from '../core/marked-text.ts'
import { oneLine, plural, printable } from '../core/text.ts'
import type { ForkForm, ForkMessage, ForkToolCall, ForkTurn } from './fork-context.ts'

export const markdownForm: ForkForm = { text: (query, turns) => markdown(query, turns) }

export const jsonForm: ForkForm = { text: (_query, turns) => JSON.stringify(turns) }

const LONGEST_QUERY = 200
const LONGEST_TITLE = 60

function markdown(query: string, turns: readonly ForkTurn[]): string {
  const sessions = new Set(turns.map(({ session }) => session.id)).size
  const head = `# Earlier work: ${inline(query, LONGEST_QUERY)}`
  const note = `${NOTICE} ${plural(turns.length, 'turn')} of ${plural(sessions, 'session')}, in order of time; […] was left out.`
  return `${markMemory([head, '', note, ...turns.map((turn, at) => turnText(turn, turns[at - 1]?.session.id === turn.session.id))].join('\n'))}\n`
}

function turnText({ turn, session, messages, tool_calls, why, citation }: ForkTurn, known: boolean): string {
  const of = known ? [] : [session.title, session.project, session.harness]
  const facts = [turn.time?.slice(0, 16).replace('T', ' '), ...of].flatMap((fact) => (fact == null ? [] : [inline(fact, LONGEST_TITLE)]))
  const lines = [``, `## [${inline(citation, 120)}] ${facts.join(' · ')}`, `(${inline(why, 400)})`]
  for (const message of messages) {
    lines.push(messageText(message))
    for (const call of tool_calls) if (call.message === message.id) lines.push(callText(call))
  }
  const said = new Set(messages.map(({ id }) => id))
  for (const call of tool_calls) if (!said.has(call.message)) lines.push(callText(call))
  return lines.join('\n')
}

const SPEAKERS = { user: 'User', assistant: 'Assistant', system: 'Summary' } as const

function messageText({ role, trust, text }: ForkMessage): string {
  return `**${SPEAKERS[role]}** (${trust}):\n${quoted(text)}`
}

function callText({ tool, input, result, failed }: ForkToolCall): string {
  const called = `**Tool ${inline(tool, 80)}**${failed ? ' failed' : ''} (untrusted):\n${quoted(input)}`
  return result === null ? called : `${called}\n${quoted(`→ ${result}`)}`
}

/** Prefixes every line, so that none can act as heading, fence or end. */
function quoted(text: string): string {
  return printable(text)
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n')
}

function inline(text: string, longest: number): string {
  return escapeMarks(oneLine(printable(text), longest))
}
