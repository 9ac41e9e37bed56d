/** Unknown forms stay undecided until events tell. */

export interface Judged {
  readonly verdict: 'meta' | 'command' | undefined
  readonly text: string
  readonly envelopes: readonly { readonly name: string; readonly inner: string }[]
}

/** Tags that the harness sends in the user's name. */
const INJECTED: ReadonlySet<string> = new Set(
  (
    'environment_context user_instructions permissions recommended_plugins turn_aborted subagent_notification codex_internal_context ' +
    'goal_context skill skills_instructions plugins_instructions apps_instructions app-context collaboration_mode model_switch ' +
    'personality_spec realtime_conversation user_action hook_prompt system-reminder proposed_plan_reminder context_window memory'
  ).split(' '),
)
const SHELL = /^<user_shell_command>/
const AGENTS = /^# AGENTS\.md instructions(?: for [^\n]*)?\s*<INSTRUCTIONS>/
const AGENTS_END = '</INSTRUCTIONS>'
/** Instructions that are truncated or unwrapped (older versions). A person may start with the same words. */
const AGENTS_TITLE = /^# AGENTS\.md instructions(?: for [^\n]*)?[ \t]*(?:\n|$)/
const CONTEXT = /^# ([A-Z][^\n:]{2,60}):[ \t]*\n/
const REQUEST = /^## My request for Codex:[ \t]*\n?/m
const OPENING = /^<([a-z][a-z_-]*)((?:\s[^<>]*)?)>/i

export function classifyUserText(text: string): Judged {
  const envelopes: { name: string; inner: string }[] = []
  let rest = text
  for (let found = leading(rest); found; found = leading(rest)) {
    envelopes.push(found.envelope)
    rest = found.rest
  }
  if (envelopes.length > 0 && rest.trim() === '') return { verdict: 'meta', text, envelopes: [] }
  const start = rest.trimStart()
  if (SHELL.test(start)) return { verdict: 'command', text, envelopes: [] }
  if (AGENTS_TITLE.test(start)) return { verdict: 'meta', text, envelopes: [] }
  const context = CONTEXT.exec(start)
  const request = context === null ? null : REQUEST.exec(start)
  if (context === null || request === null) return { verdict: undefined, text: envelopes.length === 0 ? text : rest, envelopes }
  const name = context[1] === 'Context from my IDE setup' ? 'ide_context' : (context[1] ?? '')
  envelopes.push({ name, inner: start.slice(context[0].length, request.index).trim() })
  return { verdict: undefined, text: start.slice(request.index + request[0].length), envelopes }
}

function leading(text: string): { envelope: { name: string; inner: string }; rest: string } | undefined {
  const start = text.trimStart()
  const agents = AGENTS.exec(start)
  if (agents) {
    const end = start.indexOf(AGENTS_END, agents[0].length)
    if (end === -1) return undefined
    return cut(start, 'AGENTS.md', [agents[0].length, end, end + AGENTS_END.length])
  }
  const opening = start.startsWith('<') ? OPENING.exec(start) : null
  const name = opening?.[1] ?? ''
  if (opening === null || !INJECTED.has(name)) return undefined
  // Some closing tags repeat their attributes: </permissions instructions>.
  for (const closing of [`</${name}>`, `</${name}${opening[2] ?? ''}>`]) {
    const end = start.indexOf(closing, opening[0].length)
    if (end !== -1) return cut(start, name, [opening[0].length, end, end + closing.length])
  }
  return undefined
}

function cut(text: string, name: string, [from, to, after]: [number, number, number]) {
  return { envelope: { name, inner: text.slice(from, to) }, rest: text.slice(after).trimStart() }
}
