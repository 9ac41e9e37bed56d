import { expect, it } from 'vitest'
import { flagTerms } from './flags.ts'

const told = (text: string, file = 'cmd/report.go') => flagTerms(text, file).map(({ value }) => value)

it.each([
  ['cmd.Flags().BoolVarP(&force, "force", "f", false, "Skip the question")', '--force (report.go): Skip the question'],
  ['cmd.PersistentFlags().StringVar(&since, "since", "", "Only what is newer")', '--since (report.go): Only what is newer'],
  ['flag.Int("port", 8080, "Port to listen on")', '--port (report.go): Port to listen on'],
  ["parser.add_argument('-o', '--out', default=None, help='Folder of the report')", '--out (report.go): Folder of the report'],
  ['@click.option("--dry-run", is_flag=True, help="Change nothing")', '--dry-run (report.go): Change nothing'],
  [".option('-n, --number <n>', 'most lines to print')", '--number (report.go): most lines to print'],
  [".option('verbose', { type: 'boolean', describe: 'Say more of it' })", '--verbose (report.go): Say more of it'],
])('%s', (code, expected) => expect(told(code)).toEqual([expected]))

it('code without help gives nothing', () => {
  expect(told('cmd.Flags().BoolVar(&x, "x-ray", false, "")\nconst option = flags.get("name", "other")')).toEqual([])
})
