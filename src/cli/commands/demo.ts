/** Uses a temporary home and removes it afterwards. Never touches the owner's home. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Command } from 'commander'
import { plural } from '../../core/text.ts'
import type { Mnemonic, SearchAnswer } from '../../library/index.ts'
import { examples } from '../arguments.ts'
import type { Cli } from '../cli.ts'
import { DEMO_CONFIG, DEMO_SEARCHES, type DemoReport, NEXT_STEPS } from '../demo-plan.ts'
import { pairs } from '../format/layout.ts'
import { formatBlock } from '../format/search.ts'
import type { FormatOptions } from '../format/search-hit.ts'
import { formatSync } from '../format/sync.ts'
import { ownCommand } from '../own-command.ts'

const HITS = 2

export function demo(command: Command, cli: Cli): void {
  command
    .description(
      'Imports the sample sessions, messages, mails and meetings that come with Mnemonic into a temporary home and searches them. Works offline; leaves nothing behind.',
    )
    .option('--keep', 'keep the temporary home, to look around in it')
    .addHelpText('after', examples('demo', 'demo --keep'))
    .action(async ({ keep }: { readonly keep?: true }) => {
      const root = await mkdtemp(join(tmpdir(), 'mnemonic-demo-'))
      try {
        const report = await runDemo(cli, { home: join(root, 'home'), workspace: join(root, 'workspace'), kept: keep === true })
        const binary = ownCommand(cli.io)
        const { style, width } = cli.out
        cli.out.answer(report, () => formatDemo(report, { style, width, now: Date.now(), binary }))
      } finally {
        if (keep !== true) await rm(root, { recursive: true, force: true })
      }
    })
}

async function runDemo(cli: Cli, folders: Pick<DemoReport, 'home' | 'workspace' | 'kept'>): Promise<DemoReport> {
  const { copySamples, openMnemonic } = await import('../../library/index.ts')
  await mkdir(folders.home, { recursive: true, mode: 0o700 })
  await writeFile(join(folders.home, 'config.yaml'), DEMO_CONFIG, { mode: 0o600 })
  // Outside the home, so that forgetting in the demo does not change the samples.
  const samples = join(dirname(folders.home), 'samples')
  await copySamples(samples)
  const mnemonic = await openMnemonic({ home: folders.home, workspace: folders.workspace, agent: 'main' })
  try {
    const sync = await cli.job((job) => mnemonic.sync({ path: samples, ...job }))
    // By rules, so that a kept home has people and events.
    await cli.job((job) => mnemonic.analyze(job))
    const { agents, index } = await mnemonic.status()
    const searches = await searchAll(mnemonic)
    return {
      ...folders,
      sync,
      counts: { ...agents, chunks: index.chunks },
      searches,
      next: NEXT_STEPS.map(({ command }) => `mnemonic ${command}`),
    }
  } finally {
    await mnemonic.close()
  }
}

async function searchAll(mnemonic: Mnemonic): Promise<SearchAnswer[]> {
  const answers: SearchAnswer[] = []
  for (const { query, filters, limit = HITS } of DEMO_SEARCHES)
    answers.push(await mnemonic.search({ query, filters, limit, by: 'session' }))
  return answers
}

interface DemoFormat extends FormatOptions {
  readonly binary: string
}

function formatDemo(report: DemoReport, format: DemoFormat): string {
  const { style, binary } = format
  const searches = report.searches.map((answer, i) => {
    const plan = DEMO_SEARCHES[i]
    const hits = answer.results.flatMap((result, i) => {
      const group = answer.groups[i]
      return group === undefined ? [] : [formatBlock(result, group, i + 1, format)]
    })
    return [`${style.bold(plan?.shows ?? '')}\n$ ${binary} ${plan?.typed ?? ''}`, ...hits].join('\n\n')
  })
  const next = NEXT_STEPS.map(({ command, does }) => [`  ${binary} ${command}`, does] as const)
  const there = `${binary} --home ${report.home} --workspace ${report.workspace}`
  const kept = report.kept ? [`The home is kept:\n\n  ${there} sessions\n  ${there} entities show "Sarah Chen"\n  ${there} decisions`] : []
  return [style.bold('Imported the samples'), imported(report), ...searches, style.bold('Where to go next'), pairs(next), ...kept].join(
    '\n\n',
  )
}

function imported({ sync, counts }: DemoReport): string {
  const { sessions, turns, messages, tool_calls, chunks } = counts
  const sums = [plural(sessions, 'session'), plural(turns, 'turn'), plural(messages, 'message'), plural(tool_calls, 'tool call')]
  return `${formatSync(sync)}\n\n${sums.join(', ')}; ${plural(chunks, 'chunk')} in the index`
}
