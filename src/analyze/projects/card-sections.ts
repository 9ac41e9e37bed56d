import { oneLine } from '../../core/text.ts'
import { toIso } from '../../core/time.ts'
import type { ProjectCard } from './card.ts'
import type { CardCommand } from './card-commands.ts'
import type { CardItem } from './card-item.ts'

export interface CardLine {
  readonly label: string
  readonly text: string
  readonly from: CardItem
}

export interface CardSection {
  readonly title: string
  readonly lines: readonly CardLine[]
}

const SCREEN = {
  names: 8,
  dependencies: 10,
  commands: 1,
  files: 4,
  folders: 6,
  terms: 4,
  pulls: 3,
  issues: 1,
  branches: 3,
  pitfalls: 3,
  environment: 8,
  people: 8,
  tasks: 8,
}
const LONGEST_LIST = 150
const LONGEST = 170

export function cardSections(card: ProjectCard, size: 'screen' | 'whole'): CardSection[] {
  const isWhole = size === 'whole'
  const most = (name: keyof typeof SCREEN) => (isWhole ? 100 : SCREEN[name])
  const list = (label: string, items: readonly CardItem[], limit: number): CardLine[] =>
    isWhole ? each(label, items) : joined(label, items, limit)
  const sections: CardSection[] = [
    {
      title: 'What it is, and who makes it',
      lines: [
        ...each('about', card.about.slice(0, isWhole ? 10 : 1)),
        ...list('built with', [...card.languages, ...card.tools], most('names')),
        ...list('depends on', card.dependencies, most('dependencies')),
        ...list(
          'authors',
          card.people.filter(({ roles }) => roles.includes('author')),
          most('people'),
        ),
        ...list(
          'reviewers',
          card.people.filter(({ roles }) => roles.includes('reviewer')),
          most('people'),
        ),
      ],
    },
    { title: 'How to work on it', lines: commandLines(card, isWhole) },
    {
      title: 'Where things are',
      lines: [
        ...list('folders', card.folders, most('folders')),
        ...list('files', card.files, most('files')),
        ...each('together', card.together.slice(0, isWhole ? 100 : 1)),
        ...list('environment', card.environment, most('environment')),
        ...list('services', card.services, most('names')),
      ],
    },
    {
      title: 'Words',
      lines: card.terms
        .slice(0, most('terms'))
        .map((one) => ({ label: one.term, text: oneLine(one.text, isWhole ? 320 : LONGEST), from: one })),
    },
    {
      title: 'Pull requests, issues, branches',
      lines: [
        ...each('pull request', card.pulls.slice(0, most('pulls'))),
        ...each('issue', card.issues.slice(0, most('issues'))),
        ...list('branches', card.branches, most('branches')),
      ],
    },
    {
      title: 'Pitfalls',
      lines: [
        ...each('beware', card.pitfalls.slice(0, most('pitfalls'))),
        ...each('never passed', card.commands.fails.slice(0, isWhole ? 10 : 1)),
      ],
    },
  ]
  return sections.filter(({ lines }) => lines.length > 0)
}

function each(label: string, items: readonly CardItem[]): CardLine[] {
  return items.map((one) => ({ label, text: oneLine(one.text, 320), from: one }))
}

function shortOf({ key, text }: CardItem): string {
  return key === undefined || text.startsWith(`${key} (`) ? text : key
}

function joined(label: string, items: readonly CardItem[], limit: number): CardLine[] {
  const texts: string[] = []
  for (const text of items.slice(0, limit).map((one) => shortOf(one).replace(/^(?:github|gitlab)\.com\//, ''))) {
    if (texts.length > 0 && [...texts, text].join(', ').length > LONGEST_LIST) break
    texts.push(text)
  }
  const shown = items.slice(0, texts.length)
  const [first, ...rest] = shown
  if (first === undefined) return []
  return [{ label, text: texts.join(', '), from: rest.reduce((newest, one) => (one.at > newest.at ? one : newest), first) }]
}

/** On a screen, one line per purpose with its second form; in the whole card, one line per form. */
function commandLines({ commands }: ProjectCard, isWhole: boolean): CardLine[] {
  const lines: CardLine[] = []
  for (const purpose of new Set(commands.works.map((one) => one.purpose))) {
    const forms = commands.works.filter((one) => one.purpose === purpose)
    if (purpose === 'task') continue
    const shown = isWhole ? forms.map((one) => [one]) : onScreen(forms)
    for (const some of shown) lines.push({ label: purpose, text: some.map(commandText).join('; or '), from: some[0] as CardCommand })
  }
  const run = commands.works.filter((one) => one.purpose === 'task')
  const known = new Set(commands.works.map((one) => one.command))
  const others = commands.tasks.filter(({ command }) => !known.has(command))
  if (isWhole) return [...lines, ...each('task', run), ...each('task', commands.tasks)]
  return [...lines, ...joined('also', [...run, ...others.map((one) => ({ ...one, text: one.command }))], SCREEN.tasks)]
}

/** A single pass may have been a trial. A second form needs a fifth of the first's passes. */
function onScreen(forms: readonly CardCommand[]): (readonly CardCommand[])[] {
  const [first, second] = forms
  if (first === undefined || (first.passed < 2 && first.purpose !== 'run' && first.purpose !== 'release')) return []
  return [second !== undefined && second.passed * 5 >= first.passed ? [first, second] : [first]]
}

export function commandText({ command, folder, passed, failed, at }: CardCommand): string {
  const where = folder === '' ? '' : ` in ${folder}`
  const times = failed > passed / 4 && failed > 2 ? `passed ${passed} of ${passed + failed}` : `passed ${passed}×`
  return `\`${command}\`${where} (${times}, last ${toIso(at).slice(0, 10)})`
}
