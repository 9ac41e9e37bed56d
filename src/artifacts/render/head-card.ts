import { sentencesOf } from '../../analyze/plain-line.ts'
import type { ProjectCard } from '../../analyze/projects/card.ts'
import type { CardPerson } from '../../analyze/projects/card-people.ts'
import type { HeadCardLine, HeadCardPart } from './head-item.ts'

const MOST = { built: 6, dependencies: 4, commands: 9, folders: 4, files: 3, people: 6 }
/** A single pass may have been a trial. */
const LEAST_PASSED = 2
const LONGEST_COMMAND = 80

export function headCard(card: ProjectCard): HeadCardLine[] {
  const [about] = card.about
  const isDescribed = about !== undefined && /\s/.test(about.text) && !/^(?:module|package) /.test(about.text)
  const lines: HeadCardLine[] = [
    {
      label: isDescribed ? 'What it is, as a file says [untrusted]' : 'What it is',
      parts: isDescribed ? [{ text: sentencesOf(about.text)[0] ?? '', as: 'quote' }] : [],
    },
    { label: 'Built with', parts: built(card) },
    { label: 'Commands that passed', parts: commands(card) },
    { label: 'Most changed', ...places(card) },
    { label: 'People', parts: [...people(card.people, 'author', 'written by'), ...people(card.people, 'reviewer', 'reviewed by')] },
  ]
  return lines.filter(({ parts }) => parts.length > 0)
}

function built({ languages, tools, dependencies }: ProjectCard): HeadCardPart[] {
  const own = [...languages, ...tools].slice(0, MOST.built)
  return [...own, ...dependencies.slice(0, MOST.dependencies)].map(({ text }) => ({
    text: text.replace(/ latest$/, '').replace(/^(?:github|gitlab)\.com\//, ''),
    as: 'name',
  }))
}

function commands({ commands: { works } }: ProjectCard): HeadCardPart[] {
  const best = works.filter(
    ({ purpose, passed, command }, i) =>
      purpose !== 'task' &&
      passed >= LEAST_PASSED &&
      command.length <= LONGEST_COMMAND &&
      works.findIndex((one) => one.purpose === purpose) === i,
  )
  return best.slice(0, MOST.commands).map(({ purpose, command, folder }) => ({
    text: command,
    as: 'code',
    before: folder === '' ? purpose : `${purpose} (below the root)`,
  }))
}

function places({ folders, files }: ProjectCard): Pick<HeadCardLine, 'below' | 'parts'> {
  const all = [...folders.slice(0, MOST.folders), ...files.slice(0, MOST.files)].map(({ text }) => text.replace(/ \(\d+\)$/, ''))
  const below = all.length < 2 ? '' : sharedFolder(all)
  const parts = all.flatMap((path): HeadCardPart[] => (path === below ? [] : [{ text: path.slice(below.length), as: 'code' }]))
  return { ...(below === '' ? {} : { below }), parts }
}

function sharedFolder([first = '', ...others]: readonly string[]): string {
  const parts = first.split('/').slice(0, -1)
  const shared = parts.findLastIndex((_, i) => others.every((path) => path.startsWith(`${parts.slice(0, i + 1).join('/')}/`)))
  return shared === -1 ? '' : `${parts.slice(0, shared + 1).join('/')}/`
}

function people(all: readonly CardPerson[], role: string, before: string): HeadCardPart[] {
  const named = all.filter(({ roles }) => roles.includes(role)).slice(0, MOST.people)
  return named.length === 0 ? [] : [{ text: named.map(({ name }) => name).join(', '), as: 'name', before }]
}
