/** Answers to a prompt's questions from project facts. Redacted. */
import { projectFactsFor } from '../../analyze/projects/answer.ts'
import { asksForFacts } from '../../analyze/projects/asked-labels.ts'
import { redactSensitiveText } from '../../core/redact.ts'
import { toIso } from '../../core/time.ts'
import { shortTurnIds } from '../../ledgers/short-ids.ts'
import type { ProjectScope } from '../../store/lexical.ts'
import type { Store } from '../../store/store.ts'
import type { Candidate } from './piece.ts'

export interface ProjectQuestion {
  readonly agent: string
  readonly questions: readonly string[]
  readonly scope: ProjectScope | undefined
}

const LONGEST_QUESTION = 200
/** The agent knows its own actions better. */
const TO_THE_AGENT = /\b(?:you|your|yourself)\b/i

export async function projectPieces(store: Store, { agent, questions, scope }: ProjectQuestion): Promise<Candidate[]> {
  const question = questions.find((one) => one.length <= LONGEST_QUESTION && !TO_THE_AGENT.test(one) && asksForFacts(one))
  if (scope === undefined || question === undefined) return []
  const facts = await projectFactsFor(store, question, { agentId: agent, scope })
  const short = await shortTurnIds(
    store,
    facts.flatMap(({ from }) => from.turn ?? []),
  )
  return facts.map(({ text, from }) => ({
    ...{
      citation: short.get(from.turn ?? '') ?? from.message,
      kind: 'fact' as const,
      date: toIso(from.at).slice(0, 10),
      title: null,
      project: null,
    },
    ...{ trust: from.trust, isShort: true, why: 'the project’s tool calls say so' },
    parts: [{ label: '', text: redactSensitiveText(text, { mode: 'tools' }) }],
    key: { kind: 'turn' as const, id: from.turn ?? from.message, part: 'fact' },
  }))
}
