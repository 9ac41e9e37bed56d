import { expect, it } from 'vitest'
import type { ProjectCard } from '../../analyze/projects/card.ts'
import type { CardCommand } from '../../analyze/projects/card-commands.ts'
import type { CardItem } from '../../analyze/projects/card-item.ts'
import { headCard } from './head-card.ts'

const item = (text: string): CardItem => ({ text, sessions: 2, trust: 'untrusted', message: 'm', call: null, turn: null, at: 1 })
const command = (purpose: string, text: string, passed: number): CardCommand => ({
  ...{ ...item(text), purpose, command: text, folder: '', passed, failed: 0 },
})

const EMPTY: ProjectCard = {
  ...{
    about: [],
    languages: [],
    tools: [],
    dependencies: [],
    people: [],
    folders: [],
    files: [],
    allFiles: [],
    together: [],
    services: [],
  },
  ...{ environment: [], terms: [], allTerms: [], commits: [], pulls: [], issues: [], branches: [], pitfalls: [] },
  commands: { works: [], fails: [], tasks: [] },
}

const texts = (card: Partial<ProjectCard>) =>
  headCard({ ...EMPTY, ...card }).map(({ label, below, parts }) => [label, below ?? '', ...parts.map(({ text }) => text)])

it('has five lines at most, and none of what is not known', () => {
  expect(headCard(EMPTY)).toEqual([])
  const card: ProjectCard = {
    ...EMPTY,
    about: [item('Draws maps in the terminal. It is fast.'), item('package atlas')],
    languages: [item('Go 1.25')],
    tools: [item('golangci-lint latest')],
    dependencies: [item('github.com/dev/tiles v1.2.0')],
    commands: { ...EMPTY.commands, works: [command('test', 'make test', 9)] },
    folders: [item('src/ (7)')],
    people: [
      { ...item('Ada Lovelace (ada)'), name: 'Ada Lovelace', login: 'ada', roles: ['author', 'reviewer'] },
      { ...item('Grace Hopper'), name: 'Grace Hopper', login: null, roles: ['reviewer'] },
    ],
  }
  expect(texts(card)).toEqual([
    ['What it is, as a file says [untrusted]', '', 'Draws maps in the terminal.'],
    ['Built with', '', 'Go 1.25', 'golangci-lint', 'dev/tiles v1.2.0'],
    ['Commands that passed', '', 'make test'],
    ['Most changed', '', 'src/'],
    ['People', '', 'Ada Lovelace', 'Ada Lovelace, Grace Hopper'],
  ])
})

it('a name of a module says nothing of what a project is', () => {
  expect(texts({ about: [item('module github.com/dev/atlas')] })).toEqual([])
})

it('each purpose has the form that passed most often, and none that passed once', () => {
  const works = [
    command('test', 'make test', 9),
    command('test', 'make check', 3),
    command('run', 'make run', 1),
    command('task', 'make x', 9),
  ]
  expect(texts({ commands: { ...EMPTY.commands, works } })).toEqual([['Commands that passed', '', 'make test']])
})

it('names the folder that all paths share once', () => {
  const folders = [item('cmd/app/ (9)'), item('cmd/app/store/ (4)')]
  expect(texts({ folders, files: [item('cmd/app/store/open.go (4)')] })).toEqual([['Most changed', 'cmd/app/', 'store/', 'store/open.go']])
  expect(texts({ folders, files: [item('README.md (4)')] })).toEqual([['Most changed', '', 'cmd/app/', 'cmd/app/store/', 'README.md']])
  expect(texts({ folders: [item('cmd/app/ (9)'), item('cmd/application/ (4)')] })).toEqual([
    ['Most changed', 'cmd/', 'app/', 'application/'],
  ])
})
