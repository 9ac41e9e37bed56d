/** `mnemonic sql`: one read-only query, redacted, with a row limit. */
import type { Command } from 'commander'
import { examples, wholeNumber } from '../arguments.ts'
import type { Cli } from '../cli.ts'
import { formatSqlLines, formatSqlTable } from '../format/sql.ts'

export function define(command: Command, cli: Cli): void {
  command
    .description('Runs one SELECT on the database. It cannot write, and text in the answer is redacted.')
    .argument('<query>', 'one SELECT statement')
    .option('--limit <n>', 'at most so many rows', wholeNumber(10_000), 100)
    .addHelpText(
      'after',
      examples(
        "sql 'select source, count(*) from agent_sessions group by source'",
        'sql "select name from sqlite_master where type = \'table\'" --json',
      ),
    )
    .action((query: string, { limit }: { readonly limit: number }) =>
      cli.run(async (mnemonic) => {
        const answer = await mnemonic.sql(query, { limit })
        cli.out.answer(answer, () => (cli.out.isTTY ? formatSqlTable(answer) : formatSqlLines(answer)))
        if (answer.truncated && !cli.out.json) cli.out.hint(`only the first ${limit} rows; for more: --limit N`)
        return 0
      }),
    )
}
