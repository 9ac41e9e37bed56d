/** The markdown files are the truth: these commands read or write whole files. */
import { isAbsolute, join, resolve } from 'node:path'
import type { Command } from 'commander'
import { MnemonicError } from '../../core/error.ts'
import { given } from '../../core/given.ts'
import { plural } from '../../core/text.ts'
import type { ArchiveReport, ArtifactProblem, Published, Rendered } from '../../library/index.ts'
import { examples } from '../arguments.ts'
import type { Cli } from '../cli.ts'
import { bytes as sizeOf } from '../format/quantity.ts'

export function memory(command: Command, cli: Cli): void {
  command
    .description(
      'Publishes sessions as markdown files that are never changed, and keeps MEMORY.md: where projects stand, what holds, and the newest sessions.',
    )
    .addHelpText('after', examples('memory publish --ended', 'memory render', 'memory verify --json'))
  publish(command.command('publish'), cli)
  render(command.command('render'), cli)
  reindex(command.command('reindex'), cli)
  verify(command.command('verify'), cli)
  open(command.command('open <session>'), cli)
  recover(command.command('recover'), cli)
  restore(command.command('restore <path>'), cli)
  accept(command.command('accept <path>'), cli)
  archive(command.command('archive'), cli)
}

interface PublishFlags {
  readonly session?: string
  readonly again?: boolean
  readonly compactions?: boolean
}

function publish(command: Command, cli: Cli): void {
  command
    .description('Writes the transcript, summary and manifest of sessions. Files that are already published stay as they are.')
    .option('--session <id>', 'one session, ended or not: id, label, or a unique prefix')
    .option('--ended', 'every session that ended since the last time (the default)')
    .option('--compactions', 'with --session: only the summaries of its compactions; the session goes on')
    .option('--again', 'also those that are published: a new set where the summary or the sentence would be another one now')
    .addHelpText('after', examples('memory publish', 'memory publish --session 3f2a9c', 'memory publish --again'))
    .action(({ session, again, compactions }: PublishFlags) => {
      if (compactions && session === undefined)
        throw new MnemonicError('USAGE', '--compactions are those of one session', { hint: 'Name it: --session ID --compactions' })
      return cli.run(async (mnemonic) => {
        const report = await cli.job((job) => mnemonic.artifacts.publish({ ...given({ session, again, compactions }), ...job }))
        cli.out.answer(report, () => formatPublished(report.results))
        cli.out.warnings([...report.warnings, ...report.failed.map(({ session_id, error }) => `${session_id}: ${error}`)])
        return report.failed.length > 0 ? 3 : 0
      })
    })
}

function render(command: Command, cli: Cli): void {
  command
    .description('Writes MEMORY.md and memory/LEDGER.md again from the published files. A MEMORY.md that you wrote is never overwritten.')
    .option('--adopt', 'replace a MEMORY.md that Mnemonic did not write; a copy of it is kept')
    .addHelpText('after', examples('memory render', 'memory render --adopt'))
    .action(({ adopt = false }: { readonly adopt?: boolean }) =>
      cli.run(async (mnemonic) => {
        const rendered = await cli.job((job) => mnemonic.artifacts.render({ adopt, ...job }))
        cli.out.answer(rendered, () => formatRendered(rendered))
        cli.out.warnings(rendered.warnings)
        return 0
      }),
    )
}

function reindex(command: Command, cli: Cli): void {
  command
    .description('Rebuilds the database rows about published files, and MEMORY.md, from the files. Never touches the ledger.')
    .addHelpText('after', examples('memory reindex', 'memory reindex --json'))
    .action(() =>
      cli.run(async (mnemonic) => {
        const report = await cli.job((job) => mnemonic.artifacts.reindex(job))
        cli.out.answer(report, () => {
          const { checked, repaired, removed, fenced } = report
          return `${plural(checked, 'file')} checked: ${plural(repaired, 'row')} repaired, ${removed} removed${fenced > 0 ? `, ${fenced} forgotten` : ''}`
        })
        return reportProblems(cli, report.problems)
      }),
    )
}

function verify(command: Command, cli: Cli): void {
  command
    .description(
      'Checks every published file: head, checksum, links; names missing, tampered and forgotten ones. Changes nothing; exit 3 when something is wrong.',
    )
    .addHelpText('after', examples('memory verify', 'memory verify --json'))
    .action(() =>
      cli.run(async (mnemonic) => {
        const { checked, problems } = await cli.job((job) => mnemonic.artifacts.verify(job))
        cli.out.answer({ checked, problems }, () => `${plural(checked, 'file')} checked, ${plural(problems.length, 'problem')}`)
        return reportProblems(cli, problems)
      }),
    )
}

function reportProblems(cli: Cli, problems: readonly ArtifactProblem[]): 0 | 3 {
  cli.out.warnings(problems.map(({ path, kind, problem }) => `${path}: ${kind}: ${problem}`))
  return problems.length > 0 ? 3 : 0
}

function open(command: Command, cli: Cli): void {
  command
    .description('Prints the paths of the published files of a session.')
    .addHelpText('after', examples('memory open 3f2a9c', 'memory open 3f2a9c --json'))
    .action((session: string) =>
      cli.run(async (mnemonic) => {
        const opened = await mnemonic.artifacts.open(session)
        cli.out.answer(opened ?? { session_id: session, manifest_path: null }, () => {
          if (opened === undefined) return 'Not published yet.'
          const { summary_path, transcript_path, compaction_path, manifest_path } = opened
          const paths = [summary_path, transcript_path, compaction_path, manifest_path].filter((path) => path !== null)
          return paths.map((path) => join(mnemonic.paths.workspace, path)).join('\n')
        })
        if (opened === undefined) cli.out.hint(`publish it: mnemonic memory publish --session ${session}`)
        return 0
      }),
    )
}

function recover(command: Command, cli: Cli): void {
  command
    .description(
      'Finishes interrupted publications, removes leftover files and forgotten ones that were put back, writes lost manifests, and rebuilds rows and MEMORY.md from the files.',
    )
    .addHelpText('after', examples('memory recover'))
    .action(() =>
      cli.run(async (mnemonic) => {
        const report = await cli.job((job) => mnemonic.artifacts.recover(job))
        cli.out.answer(report, () => {
          const { unfinished, leftovers, forgotten, manifests, reindexed } = report
          const done = `${plural(unfinished, 'publication')} finished, ${plural(leftovers, 'leftover')} removed, ${plural(reindexed.repaired, 'row')} repaired`
          const mended = manifests.length === 0 ? '' : `, ${plural(manifests.length, 'manifest')} written again`
          return `${done}${mended}${forgotten.map((path) => `\nremoved, since it was forgotten: ${path}`).join('')}`
        })
        cli.out.warnings(report.failed.map(({ session_id, error }) => `${session_id}: ${error}`))
        return report.failed.length > 0 ? 3 : reportProblems(cli, report.reindexed.problems)
      }),
    )
}

function restore(command: Command, cli: Cli): void {
  command
    .description('Writes a published file again from the ledger. The file that is there now is kept beside it.')
    .addHelpText('after', examples('memory restore memory/2026-03-28T22-34-06.792Z--h7k3n4p2m2x2q5r5--summary.md'))
    .action((path: string) =>
      cli.run(async (mnemonic) => {
        const restored = await cli.job((job) => mnemonic.artifacts.restore(pathOf(path), job))
        cli.out.answer({ path: restored.path, kept: restored.kept ?? null }, () => restored.path)
        if (restored.kept !== undefined) cli.out.hint(`the replaced file: ${restored.kept}`)
        return 0
      }),
    )
}

function accept(command: Command, cli: Cli): void {
  command
    .description('Publishes a file that you edited as a new version. The manifest keeps the old one on record.')
    .addHelpText('after', examples('memory accept memory/2026-03-28T22-34-06.792Z--h7k3n4p2m2x2q5r5--summary.md'))
    .action((path: string) =>
      cli.run(async (mnemonic) => {
        const accepted = await cli.job((job) => mnemonic.artifacts.accept(pathOf(path), job))
        cli.out.answer(accepted, () => accepted.path)
        if (!accepted.restored) cli.out.warn(`${accepted.from} keeps your edit: the ledger no longer has the original text`)
        return 0
      }),
    )
}

function archive(command: Command, cli: Cli): void {
  command
    .description(
      'Moves the transcripts of sessions that left the window of MEMORY.md into memory/archive/. Links still open them; search is as it was.',
    )
    .option('--before <time>', 'only of sessions that ended before this time')
    .option('--dry-run', 'say what would be moved, and move nothing')
    .addHelpText('after', examples('memory archive --dry-run', 'memory archive --before 2026-01-01'))
    .action(({ before, dryRun }: { readonly before?: string; readonly dryRun?: boolean }) =>
      cli.run(async (mnemonic) => {
        const report = await cli.job((job) => mnemonic.artifacts.archive({ ...given({ before, dryRun }), ...job }))
        cli.out.answer(report, () => formatArchived(report))
        cli.out.warnings(report.failed.map(({ error }) => error))
        return report.failed.length > 0 ? 3 : 0
      }),
    )
}

function formatArchived({ archived, bytes, before, dry_run }: ArchiveReport): string {
  if (archived.length === 0) return `No transcript to archive: none is left of sessions that ended before ${before.slice(0, 10)}.`
  const what = `${plural(archived.length, 'transcript')} (${sizeOf(bytes)}) of sessions that ended before ${before.slice(0, 10)}`
  return dry_run ? `${what} would move into ${ARCHIVE}` : `${what} moved into ${ARCHIVE}`
}

/** Keeps bare names and paths below the workspace, as `verify` prints them. Resolves all others. */
function pathOf(path: string): string {
  return isAbsolute(path) || path.startsWith('memory/') || !/[\\/]/.test(path) ? path : resolve(path)
}

const MOST_LISTED = 5
const FOLDER = 'memory/'
const ARCHIVE = 'memory/archive/'

function formatPublished(results: readonly Published[]): string {
  const published = results.filter(({ status }) => status === 'published')
  const skipped = results.filter(({ status }) => status === 'skipped')
  // Several results of a session (compactions, end) share a manifest.
  const files = new Set(published.flatMap(({ paths }) => paths)).size
  const few = published.length <= MOST_LISTED
  const lines = few
    ? published.map(({ session_id, paths }) => `${session_id}\n${paths.map((path) => `  ${path}`).join('\n')}`)
    : [`${plural(files, 'file')} written into ${FOLDER}; --json lists them`]
  const reasons = skipped.map(({ session_id, reason }) => `${session_id} is not published: ${reason ?? 'no reason was given'}`)
  const unchanged = results.length - published.length - skipped.length
  const compactions = published.filter(({ flow }) => flow === 'compaction').length
  const counted = [plural(published.length - compactions, 'session'), ...(compactions === 0 ? [] : [plural(compactions, 'compaction')])]
  return [...lines, ...reasons, `${counted.join(' and ')} published, ${unchanged} unchanged, ${skipped.length} skipped`].join('\n')
}

function formatRendered({ path, status, rows, clipped }: Rendered): string {
  const more = clipped > 0 ? `, ${plural(clipped, 'older row')} only in the full ledger` : ''
  return `${path}: ${status === 'unchanged' ? 'as it was' : 'written'}, ${plural(rows, 'session')}${more}`
}
