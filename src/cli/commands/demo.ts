/** `mnemonic demo`: the whole road on sample sessions, in a home of its own that is removed afterwards. Never touches the owner's home. */
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import { MnemonicError } from '../../core/error.ts'
import type { Mnemonic, SearchAnswer } from '../../library/index.ts'
import { examples } from '../arguments.ts'
import type { Cli } from '../cli.ts'
import { DEMO_SEARCHES, type DemoReport, NEXT_STEPS } from '../demo-plan.ts'
import { formatDemo } from '../format/demo.ts'

const SAMPLES = fileURLToPath(new URL('../../../samples', import.meta.url))
const HITS = 2

export function define(command: Command, cli: Cli): void {
  command
    .description(
      'Imports the sample sessions that come with Mnemonic into a throw-away home and searches them. Works offline; leaves nothing behind.',
    )
    .option('--keep', 'keep the throw-away home, to look around in it')
    .addHelpText('after', examples('demo', 'demo --keep'))
    .action(async ({ keep }: { readonly keep?: true }) => {
      if (!existsSync(SAMPLES)) throw noSamples()
      const root = await mkdtemp(join(tmpdir(), 'mnemonic-demo-'))
      try {
        const report = await demo(cli, { home: join(root, 'home'), workspace: join(root, 'workspace'), kept: keep === true })
        const binary = cli.io.env.npm_command === 'exec' ? 'npx mnemonic' : 'mnemonic'
        const { style, width } = cli.out
        cli.out.answer(report, () => formatDemo(report, { style, width, now: Date.now(), binary }))
      } finally {
        if (keep !== true) await rm(root, { recursive: true, force: true })
      }
    })
}

async function demo(cli: Cli, place: Pick<DemoReport, 'home' | 'workspace' | 'kept'>): Promise<DemoReport> {
  const { openMnemonic } = await import('../../library/index.ts')
  const mnemonic = await openMnemonic({ home: place.home, workspace: place.workspace, agent: 'main' })
  try {
    const sync = await cli.job((job) => mnemonic.sync({ path: SAMPLES, ...job }))
    const { agents, index } = await mnemonic.status()
    const searches = await searchAll(mnemonic)
    return {
      ...place,
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
  for (const { query, filters } of DEMO_SEARCHES) answers.push(await mnemonic.search({ query, filters, limit: HITS }))
  return answers
}

function noSamples(): MnemonicError {
  return new MnemonicError('NOT_FOUND', `the sample sessions are missing: ${SAMPLES}`, {
    details: { path: SAMPLES },
    hint: 'Install the package again: npm install agent-mnemonic',
  })
}
