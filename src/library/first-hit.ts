import { given } from '../core/given.ts'
import { oneLine } from '../core/text.ts'
import type { FirstHit } from './install-calls.ts'
import type { Mnemonic } from './mnemonic.ts'

const NEWEST = 20
const SHORTEST = 25
const LONGEST = 300

export async function firstHit(memory: Pick<Mnemonic, 'decisions' | 'sessions'>, agent: string | undefined): Promise<FirstHit | undefined> {
  const { lines } = await memory.decisions({ limit: NEWEST, ...given({ agent }) })
  const holding = lines
    .flatMap(({ holds }) => holds)
    .filter(({ words, subject, cite }) => cite !== null && words.length >= SHORTEST && subject.length > 0)
  const owners = holding.filter(({ trust }) => trust === 'owner')
  // Prefers decisions that quote their question or proposal: others refer to earlier text.
  const decision =
    owners.find(({ words }) => ANSWERED.test(words) || QUOTES.test(words)) ??
    owners.find(({ text }) => text.length >= SHORTEST && !POINTS_BACK.test(text)) ??
    owners[0] ??
    holding[0]
  if (decision?.cite != null) {
    const about = subjectOf(decision.subject, decision.words)
    const [, asked, answered] = ANSWERED.exec(decision.words) ?? []
    return {
      kind: 'decision',
      question: asked === undefined ? `What did we decide about ${about}?` : oneLine(asked, LONGEST),
      answer: oneLine(answered ?? decision.words, LONGEST),
      date: decision.decided_at,
      project: decision.project,
      cite: decision.cite,
      command: `mnemonic decisions "${about}"`,
    }
  }
  const session = (await memory.sessions({ limit: NEWEST })).find(({ title, is_subagent }) => title !== null && !is_subagent)
  if (session?.title == null) return undefined
  return {
    kind: 'session',
    question: `Where did I leave off${session.project_name === null ? '' : ` in ${session.project_name}`}?`,
    answer: oneLine(session.title, LONGEST),
    date: session.last_message_at,
    project: session.project_name,
    cite: session.id,
    command: `mnemonic show ${session.id} --outline`,
  }
}

/** An agent's question with the owner's answer: “Redis or SQLite?” “SQLite”. */
const ANSWERED = /^“([^”]{20,}\?)” “([^”]+)”$/s
/** A proposal quoted in full. */
const QUOTES = /“[^”]{40,}”/s
const POINTS_BACK = /^(?:sure|yes|yeah|yep|no|ok|okay|so|but|and|also|let'?s)\b|\b(?:that|this|it|you)\b/i

function subjectOf(terms: readonly string[], words: string): string {
  const said = words.toLowerCase()
  const written = terms.flatMap((term) => {
    const at = said.indexOf(term.toLowerCase())
    return at < 0 ? [] : [words.slice(at, at + term.length)]
  })
  const [first = '', ...others] = written.length > 0 ? written : terms
  if (/[a-z][A-Z]|[._/\d-]/.test(first)) return first
  return [first, ...others.filter((term) => !first.includes(term)).slice(0, 1)].join(' ')
}
