import { asMnemonicError } from '../core/error.ts'
import { given } from '../core/given.ts'
import { exportQmd, type QmdReport } from '../operations/qmd-export.ts'
import { runJob } from '../store/job.ts'
import type { ExportQmdOptions } from './options.ts'
import type { Stages } from './stages.ts'

/** Holds the writers' lease. */
export async function runExportQmd(stages: Stages, options: ExportQmdOptions): Promise<QmdReport> {
  const { signal, onProgress } = options
  return runJob(stages.store, { job: 'export qmd', clock: stages.clock, signal, onProgress }, () => writeQmd(stages, options))
}

/** The caller holds the lease. */
export function writeQmd({ store, indexer, config, qmdDir }: Stages, { dir = qmdDir, signal }: ExportQmdOptions = {}): Promise<QmdReport> {
  const agentId = config.agent === 'all' ? undefined : config.agent
  return exportQmd({ store, buildDocument: indexer.buildDocument, dir, agentId, signal })
}

/** A failed export must not fail the sync. */
export async function exportAfterSync(stages: Stages, signal: AbortSignal | undefined): Promise<readonly string[]> {
  try {
    return (await writeQmd(stages, given({ signal }))).warnings
  } catch (thrown) {
    const error = asMnemonicError(thrown)
    if (error.code === 'INTERRUPTED') throw thrown
    return [`the QMD export failed: ${error.message}`]
  }
}
