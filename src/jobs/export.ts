/** `export qmd`: writes the documents of turns as files, by itself or at the end of a sync. */
import { asMnemonicError } from '../core/error.ts'
import { given } from '../core/given.ts'
import { exportQmd, type QmdReport } from '../operations/qmd-export.ts'
import { runJob } from '../store/job.ts'
import type { ExportQmdOptions } from './options.ts'
import type { Stages } from './stages.ts'

/** Under the lease of writing jobs: no sync changes the documents meanwhile. */
export async function runExportQmd(stages: Stages, options: ExportQmdOptions): Promise<QmdReport> {
  const { signal, onProgress } = options
  return runJob(stages.store, { job: 'export qmd', clock: stages.clock, signal, onProgress }, () => writeQmd(stages, options))
}

/** The same for a caller that holds the lease already. */
export function writeQmd({ store, indexer, config, qmdDir }: Stages, { dir = qmdDir, signal }: ExportQmdOptions = {}): Promise<QmdReport> {
  const agentId = config.agent === 'all' ? undefined : config.agent
  return exportQmd({ store, buildDocument: indexer.buildDocument, dir, agentId, signal })
}

/** Gives warnings: a folder that cannot be written is no reason to call the sync failed. */
export async function exportAfterSync(stages: Stages, signal: AbortSignal | undefined): Promise<readonly string[]> {
  try {
    return (await writeQmd(stages, given({ signal }))).warnings
  } catch (thrown) {
    const error = asMnemonicError(thrown)
    if (error.code === 'INTERRUPTED') throw thrown
    return [`the QMD export failed: ${error.message}`]
  }
}
