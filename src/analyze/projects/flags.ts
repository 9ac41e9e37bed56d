import { plainLine } from '../plain-line.ts'
import type { Fact } from './fact.ts'

const MOST = 40
const SHORTEST = 8
const LONGEST = 200

const TEXT = (quotes: string) => `[${quotes}](?<help>(?:[^${quotes}\\\\\\n]|\\\\.){${SHORTEST},${LONGEST}})[${quotes}]`
const FORMS: readonly RegExp[] = [
  // cmd.Flags().BoolVarP(&force, "force", "f", false, "Skip the question")
  new RegExp(
    `\\b(?:flag|flags|fs|\\w{0,20}[Ff]lags\\(\\)|FlagSet)\\.\\w+\\(\\s*(?:&[\\w.]+,\\s*)?"(?<name>[a-z][\\w-]{1,39})",\\s*(?:"\\w?",\\s*)?(?:"[^"\\n]*"|[^",\\n]+),\\s*${TEXT('"')}\\s*,?\\s*\\)`,
    'g',
  ),
  // parser.add_argument("-f", "--force", help="…"), @click.option("--force", help="…")
  new RegExp(
    `\\b(?:add_argument|option|Option)\\([^()]{0,60}?["']--(?<name>[a-z][\\w-]{1,39})["'][^()]{0,200}?\\bhelp\\s*=\\s*${TEXT(`"'`)}`,
    'g',
  ),
  // .option('-f, --force <x>', '…')
  new RegExp(
    `\\.(?:option|requiredOption|addOption)\\(\\s*(?:new Option\\(\\s*)?['"](?:-\\w, ?)?--(?<name>[a-z][\\w-]{1,39})[^'"\\n]{0,40}['"],\\s*${TEXT(`'"`)}`,
    'g',
  ),
  // .option('force', { describe: '…' })
  new RegExp(`\\.option\\(\\s*['"](?<name>[a-z][\\w-]{1,39})['"],\\s*\\{[^{}]{0,200}?\\bdesc(?:ribe|ription)?:\\s*${TEXT(`'"`)}`, 'g'),
]

export function flagTerms(text: string, file: string): Fact[] {
  if (!/flag|option|add_argument/i.test(text)) return []
  const name = file.split(/[\\/]/).at(-1) ?? file
  return FORMS.flatMap((form) => [...text.matchAll(form)])
    .slice(0, MOST)
    .flatMap(({ groups }): Fact[] => {
      const flag = `--${groups?.name}`
      const help = plainLine(groups?.help ?? '', LONGEST)
      // Commands of one program may share flag names.
      return help.length < SHORTEST || !help.includes(' ')
        ? []
        : [
            {
              kind: 'term',
              key: `${flag} ${name}`,
              value: `${flag} (${name}): ${help}`,
              isForeign: true,
              detail: { term: flag, from: 'flag', file },
            },
          ]
    })
}
