/** The first thing that memory can say of the person's own history: it must be worth reading, and answer a question that they could ask. */
import { given } from '../core/given.ts'
import { oneLine } from '../core/text.ts'
import type { FirstHit } from './install-calls.ts'
import type { Mnemonic } from './mnemonic.ts'

/** Among the newest so many. */
const NEWEST = 20
const SHORTEST = 25
const LONGEST = 300

export async function firstHit(memory: Pick<Mnemonic, 'decisions' | 'sessions'>, agent: string | undefined): Promise<FirstHit | undefined> {
  const { lines } = await memory.decisions({ limit: NEWEST, ...given({ agent }) })
  const holding = lines
    .flatMap(({ holds }) => holds)
    .filter(({ words, subject, cite }) => cite !== null && words.length >= SHORTEST && subject.length > 0)
  // What the owner said in full is worth more than a "yes" to what an agent proposed.
  const decision = holding.find(({ text, trust }) => trust === 'owner' && text.length >= SHORTEST) ?? holding[0]
  if (decision?.cite != null) {
    const about = subjectOf(decision.subject, decision.words)
    return {
      kind: 'decision',
      question: `What did we decide about ${about}?`,
      answer: oneLine(decision.words, LONGEST),
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

/** Its first two terms that the statement itself has. */
function subjectOf(terms: readonly string[], words: string): string {
  const said = words.toLowerCase()
  const known = terms.filter((term) => said.includes(term.toLowerCase()))
  const [first = '', ...others] = known.length > 0 ? known : terms
  return [first, ...others.filter((term) => !first.includes(term)).slice(0, 1)].join(' ')
}
