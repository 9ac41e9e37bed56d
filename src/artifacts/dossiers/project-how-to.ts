import type { CardLine } from '../../analyze/projects/card-sections.ts'
import { cardSections } from '../../analyze/projects/card-sections.ts'
import { loadCard } from '../../analyze/projects/load-card.ts'
import { readFacts, type StoredFact } from '../../analyze/projects/read-facts.ts'
import { repeatedSteps } from '../../analyze/projects/repeated-steps.ts'
import { redactSensitiveText } from '../../core/redact.ts'
import { plural } from '../../core/text.ts'
import { shortTurnIds } from '../../ledgers/short-ids.ts'
import type { ProjectScope } from '../../store/lexical.ts'
import type { Store } from '../../store/store.ts'
import type { Cite, Dossier } from './cited.ts'
import { latest } from './entity-dossier.ts'

type Source = Pick<StoredFact, 'message' | 'call' | 'turn' | 'at'>

export async function projectHowTo(
  store: Store,
  name: string,
  { agentId, ...scope }: ProjectScope & { readonly agentId: string },
): Promise<Dossier> {
  const sections = cardSections(await loadCard(store, { agentId, scope }), 'whole')
  const linesOf = (title: string) => sections.find((section) => section.title === title)?.lines ?? []
  const commands = linesOf('How to work on it').filter(({ label }) => label !== 'task')
  const tasks = linesOf('How to work on it').filter(({ label }) => label === 'task')
  const steps = repeatedSteps(await readFacts(store, { agentId, scope, kinds: ['command'] }))
  const pitfalls = linesOf('Pitfalls')
  const sources: Source[] = [...[...commands, ...tasks, ...pitfalls].map(({ from }) => from), ...steps.flatMap(({ from }) => from)]
  const short = await shortTurnIds(
    store,
    sources.flatMap(({ turn }) => turn ?? []),
  )
  const cite = ({ message, call, turn }: Source): Cite => ({
    ...{ message, id: short.get(turn ?? '') ?? null },
    ...(call === null ? {} : { call: call.slice(call.lastIndexOf('/') + 1) }),
  })
  const listed = (title: string, lines: readonly CardLine[]) => ({
    title,
    sentences: lines.map(({ label, text, from }) => ({ text: `${label}: ${clean(text)}`, cites: [cite(from)] })),
  })
  return {
    ...{ kind: 'project-how-to', subject: name, title: `How to work on ${name}`, agentId },
    sections: [
      listed('Commands that work', commands),
      ...steps.map(({ commands: all, sessions, from }, i) => ({
        title: `Steps ${i + 1}: done in ${plural(sessions, 'session')}`,
        numbered: true,
        sentences: all.map((command, at) => ({ text: clean(`\`${command}\``), cites: [cite(from[at] as StoredFact)] })),
      })),
      listed('Tasks', tasks),
      listed('Pitfalls', pitfalls),
    ].filter(({ sentences }) => sentences.length > 0),
    // Untrusted: an agent chose the program that printed this.
    trust: 'untrusted',
    newest: latest(sources.map(({ at }) => at)),
  }
}

function clean(text: string): string {
  return redactSensitiveText(text, { mode: 'tools' })
}
