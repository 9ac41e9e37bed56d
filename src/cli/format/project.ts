import { plural } from '../../core/text.ts'
import type { ProjectCardAnswer } from '../../library/index.ts'
import { printable } from './printable.ts'

const LABEL = 16

export function formatProject({ project, sections }: ProjectCardAnswer): string {
  const dates = [project.first, project.last].map((time) => time?.slice(0, 10) ?? '').join(' to ')
  const head = [project.name, ...(project.key === project.name ? [] : [project.key]), plural(project.sessions, 'session'), dates]
    .map((part) => printable(part))
    .join('  ')
  const body = sections.flatMap(({ title, lines }) => [
    title,
    ...lines.map(({ label, text, id, at, changed_since, trust }) => {
      const doubt = trust === 'owner' || trust === 'agent' ? null : trust
      const cite = [id, id === null ? at?.slice(0, 10) : null, doubt, changed_since?.text].filter((part) => part != null).join(' ')
      return `  ${printable(label).padEnd(LABEL)}  ${printable(text)}${cite === '' ? '' : `  [${cite}]`}`
    }),
  ])
  return [head, ...body].join('\n')
}
