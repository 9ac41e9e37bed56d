import { type CardItem, grouped, item } from './card-item.ts'
import type { StoredFact } from './read-facts.ts'

export interface CardCommand extends CardItem {
  readonly purpose: string
  readonly command: string
  /** Relative to the project; empty for its root. */
  readonly folder: string
  readonly passed: number
  readonly failed: number
}

export interface Commands {
  readonly works: readonly CardCommand[]
  readonly fails: readonly CardCommand[]
  /** From manifests: `mise run build:all`, with its script. */
  readonly tasks: readonly (CardItem & { readonly command: string; readonly runs: string })[]
}

const ORDER =
  'setup,build,test,unit test,integration test,end-to-end test,one test,type check,lint,format,format check,run,release,generate,benchmark,task'.split(
    ',',
  )
const MOST_OF_ONE = 4
const LEAST_PASSED = 3

export function commandLines(facts: readonly StoredFact[], tasks: readonly StoredFact[]): Commands {
  const all = grouped(facts, ({ key, value, detail }) => `${key}\n${value}\n${detail.folder ?? ''}`).map(counted)
  const works = ORDER.flatMap((purpose) =>
    all
      .filter((one) => one.purpose === purpose && one.passed > 0)
      .sort((a, b) => rank(b) - rank(a) || b.at - a.at || (a.command < b.command ? -1 : 1))
      .filter(({ passed }, i) => i === 0 || passed >= LEAST_PASSED)
      .slice(0, MOST_OF_ONE),
  )
  const fails = all
    .filter(({ passed, failed, sessions }) => passed === 0 && failed >= 3 && sessions >= 3)
    .sort((a, b) => b.failed - a.failed)
  return { works, fails: fails.slice(0, MOST_OF_ONE), tasks: tasksOf(tasks) }
}

function rank({ passed, command, purpose }: CardCommand): number {
  const isPart = purpose !== 'one test' && /<(?:name|value)>|<path>(?!\S)(?<!-o <path>)|(?:\.\/)?(?:[\w.-]+\/){2,}[\w.-]+/.test(command)
  return passed * (isPart ? 0.3 : 1)
}

function counted(all: readonly StoredFact[]): CardCommand {
  const passes = all.filter(({ detail }) => detail.state === 'passed')
  const [first] = all
  const typed = example(passes)
  const command = typed ?? first?.value ?? ''
  return {
    ...item(command, passes.length > 0 ? [...all.filter((one) => !passes.includes(one)), ...passes] : all),
    ...{ purpose: first?.key ?? '', command, folder: String(first?.detail.folder ?? '') },
    ...{ passed: passes.length, failed: all.length - passes.length },
  }
}

function example(passes: readonly StoredFact[]): string | undefined {
  const typed = passes.flatMap(({ detail }) => (typeof detail.typed === 'string' ? [detail.typed] : []))
  const [most] = [...new Set(typed)].map((one) => [one, typed.filter((other) => other === one).length] as const).sort((a, b) => b[1] - a[1])
  return most !== undefined && most[1] > passes.length / 2 ? most[0] : undefined
}

function tasksOf(tasks: readonly StoredFact[]): Commands['tasks'] {
  return grouped(tasks, ({ key, detail }) => `${detail.runner} ${key}`).map((all) => {
    const last = all.at(-1)
    const command = `${last?.detail.runner} ${last?.key}`
    return { ...item(last?.value ? `${command}: ${last.value}` : command, all), command, runs: last?.value ?? '' }
  })
}
