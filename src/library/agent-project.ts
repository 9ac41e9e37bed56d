import type { ChangedSince } from '../core/changed-since.ts'
import { markMemory, NOTICE } from '../core/marked-text.ts'
import { named, safe } from '../core/named.ts'
import { plural } from '../core/text.ts'
import type { ProjectCardAnswer } from '../roles/reader/project-card.ts'

export interface ProjectText {
  readonly text: string
  readonly cited: readonly string[]
}

function since(change: ChangedSince | undefined): string {
  return change?.text == null ? '' : ` [${safe(change.text)}]`
}

export function projectForAgent({ project, sections }: ProjectCardAnswer): ProjectText {
  const cited: string[] = []
  const lines = sections.flatMap(({ title, lines }) => [
    `## ${title}`,
    ...lines.map(({ label, text, id, changed_since, trust }) => {
      if (id !== null) cited.push(id)
      return `${id === null ? '-' : `${cited.length}.`} ${safe(label)}: ${safe(text)}${id === null ? '' : ` ${named(id)}`}${trust === 'owner' || trust === 'agent' ? '' : ` [${safe(trust)}]`}${since(changed_since)}`
    }),
  ])
  const head = [safe(project.name), safe(project.key), plural(project.sessions, 'session'), project.last?.slice(0, 10) ?? '']
    .filter(Boolean)
    .join(', ')
  return { text: `${NOTICE}\n${markMemory([head, ...lines].join('\n'))}`, cited }
}
