import type { Command } from 'commander'
import type { InitPlan, InstallReport, Mnemonic } from '../../library/index.ts'
import { examples } from '../arguments.ts'
import type { Cli, ExitCode } from '../cli.ts'
import { formatDone, formatInitPlan, type InitReport } from '../format/init.ts'
import { wrap } from '../format/layout.ts'
import type { Questions } from '../questions.ts'

export function init(command: Command, cli: Cli): void {
  command
    .option('--yes', 'do not ask: import and install what the plan lists; personal sources stay off')
    .description(
      'Finds the harnesses of this machine, shows what would be imported and installed, and asks. Nothing is changed before the last question is answered; without a terminal and without --yes only the plan is printed.',
    )
    .addHelpText('after', examples('init', 'init --json', 'init --yes'))
    .action(async ({ yes = false }: { readonly yes?: boolean }) => {
      const chosen: { wanted?: Wanted | undefined; plan?: InitPlan } = {}
      await cli.run(async ({ installing }) => {
        const plan = await installing.plan()
        chosen.plan = plan
        if (yes) chosen.wanted = everythingOf(plan)
        else if (cli.io.questions !== undefined && !cli.out.json) {
          cli.io.stderr.write(`${wrap(cli.out.ours(formatInitPlan(plan)), cli.out.columns)}\n\n`)
          chosen.wanted = await ask(await cli.io.questions(), plan)
          if (chosen.wanted === undefined) {
            cli.out.hint('nothing was changed')
            return 130
          }
        } else {
          cli.out.answer({ plan, done: null }, () => wrap(cli.out.ours(formatInitPlan(plan)), cli.out.columns))
          cli.out.hint('nothing was changed; to do it: mnemonic init --yes')
        }
        return 0
      })
      const { wanted, plan } = chosen
      if (wanted === undefined || plan === undefined) return
      let installed: InstallReport[] = []
      // The next open reads the sources enabled here.
      await cli.run(async (mnemonic) => {
        installed = await apply(mnemonic, wanted)
        return 0
      })
      await cli.run(async (mnemonic) => first(cli, mnemonic, { plan, installed, wanted }))
    })
}

/** Built from answers only: leaving at any question changes nothing. */
interface Wanted {
  readonly harnesses: readonly string[]
  readonly personal: readonly string[]
  readonly autoPublish: boolean | undefined
  readonly sync: boolean
}

function everythingOf({ harnesses }: InitPlan): Wanted {
  const here = harnesses.filter(({ detected, as_plugin, warnings }) => detected && !as_plugin && warnings.length === 0)
  return { harnesses: here.map(({ name }) => name), personal: [], autoPublish: undefined, sync: true }
}

async function ask(questions: Questions, plan: InitPlan): Promise<Wanted | undefined> {
  const here = plan.harnesses.filter(({ detected, as_plugin }) => detected && !as_plugin)
  const choices = here.map(({ name, title, installed }) => ({ value: name, label: title, ...(installed ? { hint: 'installed' } : {}) }))
  const harnesses =
    choices.length === 0 ? [] : await questions.which('Install the memory into:', choices, [...everythingOf(plan).harnesses])
  if (harnesses === undefined) return undefined
  const personal: string[] = []
  for (const { name, path } of plan.personal.filter(({ enabled }) => !enabled)) {
    const answer = await questions.yes(`Read ${name} (${path})? It stays on this machine.`, false)
    if (answer === undefined) return undefined
    if (answer) personal.push(name)
  }
  // With hooks, the end of a session always publishes it. The question is about the other sessions.
  const hooked = harnesses.length > 0 || here.some(({ installed }) => installed)
  const autoPublish = await questions.yes(
    hooked
      ? `Hooks publish a session that ends as markdown in ${plan.workspace}. Let sync publish the others too?`
      : `Let each sync publish sessions that ended, as markdown in ${plan.workspace}?`,
    plan.auto_publish,
  )
  if (autoPublish === undefined) return undefined
  const sync = await questions.yes('Import now?', true)
  return sync === undefined ? undefined : { harnesses, personal, autoPublish, sync }
}

async function apply({ installing, sources }: Mnemonic, { harnesses, personal, autoPublish }: Wanted): Promise<InstallReport[]> {
  // Check all before changing the first.
  for (const name of harnesses) await installing.install(name, { dryRun: true })
  for (const name of personal) await sources.setEnabled(name, true)
  if (autoPublish !== undefined) await installing.setAutoPublish(autoPublish)
  const done: InstallReport[] = []
  for (const name of harnesses) done.push(await installing.install(name))
  return done
}

interface Begun {
  readonly plan: InitPlan
  readonly installed: readonly InstallReport[]
  readonly wanted: Wanted
}

async function first(cli: Cli, mnemonic: Mnemonic, { plan, installed, wanted }: Begun): Promise<ExitCode> {
  const sync = wanted.sync ? await cli.job((job) => mnemonic.sync(job)) : null
  const report: InitReport = {
    installed,
    enabled: wanted.personal,
    auto_publish: wanted.autoPublish ?? plan.auto_publish,
    sync,
    first_hit: (await mnemonic.installing.firstHit()) ?? null,
  }
  cli.out.answer({ plan, done: report }, () => formatDone(report, cli.out))
  cli.out.warnings(sync?.totals.warnings ?? [])
  return sync !== null && (sync.totals.quarantined > 0 || sync.newly_failed_chunks > 0) ? 3 : 0
}
