/** The turns that a next session needs, for a model to read: each with where it is from and why it is there. Pure. */
import { markMemory, NOTICE } from '../core/marked-text.ts'
import { oneLine, plural, printable } from '../core/text.ts'
import type { ForkContext, ForkTurn } from '../fork/fork-context.ts'
import { named, projectName, safe } from './agent-text.ts'

const TITLE = 80
const WHY = 200

export function forkForAgent({ relevant_turns, total_tokens }: ForkContext): string {
  if (relevant_turns.length === 0) return 'no turns'
  const head = `${plural(relevant_turns.length, 'turn')}, ${plural(total_tokens, 'token')}, in order of time. ${NOTICE}`
  return [head, markMemory(relevant_turns.map(turnText).join('\n\n'))].join('\n')
}

function turnText({ turn, session, messages, tool_calls, why, citation }: ForkTurn, i: number): string {
  const project = projectName({ project: session.project, project_name: null })
  const facts = [
    `${i + 1}.`,
    named(citation),
    turn.time.slice(0, 10),
    ...(project === undefined ? [] : [safe(project)]),
    ...(session.title === null ? [] : [safe(oneLine(session.title, TITLE))]),
    `(${safe(oneLine(why, WHY))})`,
  ]
  const said = messages.map(({ role, text, trust }) => {
    const by = trust === 'owner' || trust === 'agent' ? '' : ` [${trust}]`
    return `${role === 'user' ? 'User' : role === 'assistant' ? 'Assistant' : safe(role)}${by}: ${printable(text)}`
  })
  const done = tool_calls.map(({ tool, input, result }) => {
    const gave = result === null ? '' : `\n→ ${printable(result)}`
    return `[${safe(tool)}] ${printable(input)}${gave}`
  })
  return [facts.join(' '), ...said, ...done].join('\n')
}
