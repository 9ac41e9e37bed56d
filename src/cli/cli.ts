/** The context of every command. Loads the library only when a command runs. */
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { asMnemonicError, MnemonicError } from '../core/error.ts'
import { given } from '../core/given.ts'
import { homeFolder, TRACE_FOLDER } from '../core/home-folder.ts'
import type { OnProgress } from '../core/progress.ts'
import { stripControls } from '../core/text.ts'
import type { Mnemonic, OpenMnemonicOptions } from '../library/index.ts'
import { showTimesIn } from './format/quantity.ts'
import type { Io } from './io.ts'
import type { Output } from './output.ts'
import { describeWait, progressLine } from './progress.ts'

/**
 * 0 done, 1 failed, 3 done with failed items, 130 left by Ctrl-C at a screen. main.ts sets the codes of usage errors and interrupted jobs.
 */
export type ExitCode = 0 | 1 | 3 | 130

export interface GlobalOptions {
  readonly home?: string
  readonly workspace?: string
  readonly agent?: string
}

export interface Cli {
  readonly io: Io
  readonly out: Output
  exitCode: number
  /** Name of the running command if it needs an existing home. */
  reads?: string | undefined
  /** May create a home in the folder that --home names, with a notice. */
  begins?: boolean
  readOnly?: boolean
  readonly aborted: unknown
  /** Value of --agent, which may be `all`. If undefined, the library decides. */
  agent(): string | undefined
  configure(globals: () => GlobalOptions): void
  run(command: (mnemonic: Mnemonic) => Promise<ExitCode>): Promise<void>
  /** Like `run`, for commands that must answer even if the home cannot be opened. */
  runOrElse(command: (mnemonic: Mnemonic) => Promise<ExitCode>, unopened: (error: Error) => ExitCode): Promise<void>
  job<T>(work: (options: { onProgress: OnProgress; signal: AbortSignal }) => Promise<T>): Promise<T>
}

export function createCli(io: Io, out: Output): Cli {
  let globals: () => GlobalOptions = () => ({})
  let signal: AbortSignal | undefined
  const cli: Cli = {
    io,
    out,
    exitCode: 0,
    get aborted() {
      return signal?.aborted === true ? signal.reason : undefined
    },
    agent: () => globals().agent,
    configure(read) {
      globals = read
    },
    async run(command) {
      const missing = missingHome(globals())
      if (missing !== undefined && cli.reads !== undefined) throw noMemory(missing)
      if (missing !== undefined && cli.begins === true) out.hint(`a new memory begins in ${stripControls(missing.home)}`)
      const onReadOnly = (reason: keyof typeof READ_ONLY) => {
        cli.readOnly = true
        out.warn(READ_ONLY[reason])
      }
      const mnemonic = await open(io, globals(), { onMigrate: migrationNotice(io, out), onReadOnly })
      try {
        for (const warning of mnemonic.warnings) out.warn(warning)
        showTimesIn(mnemonic.timezone)
        cli.exitCode = await command(mnemonic)
      } finally {
        showTimesIn(undefined)
        await mnemonic.close()
      }
    },
    async runOrElse(command, unopened) {
      let opened = false
      try {
        await cli.run((mnemonic) => {
          opened = true
          return command(mnemonic)
        })
      } catch (error) {
        if (opened) throw error
        cli.exitCode = unopened(asMnemonicError(error))
      }
    },
    async job(work) {
      signal = io.signal()
      const progress = progressLine(io, { enabled: io.isTTY.stderr && !out.json })
      const onProgress: OnProgress = (event) => {
        if (event.stage !== 'wait') return progress.show(event)
        progress.clear()
        out.hint(describeWait(event))
      }
      try {
        return await work({ onProgress, signal })
      } finally {
        progress.clear()
      }
    },
  }
  return cli
}

function migrationNotice(io: Io, out: Output): OnProgress {
  const line = progressLine(io, { enabled: io.isTTY.stderr && !out.json })
  let shown = false
  return (event) => {
    if (event.stage !== 'migrate') return
    if (event.done === event.total) return line.clear()
    if (io.isTTY.stderr && !out.json) return line.show(event)
    if (!shown) out.hint(event.waiting ? WAITING : MIGRATING)
    shown = true
  }
}

const MIGRATING =
  'The database is being upgraded to this version, once. A large one takes minutes; if interrupted, the upgrade starts again next time.'
const WAITING = 'Another process is upgrading the database to this version. Waiting for it.'

const READ_ONLY = {
  'read-only': 'the home cannot be written, so it is opened for reading only: searches are not noted, numbers of answers not kept',
  full: 'the disk of the home is full, so it is opened for reading only: make room before the next sync',
} as const

interface MissingHome {
  readonly named: string
  readonly home: string
}

function missingHome({ home: named }: GlobalOptions): MissingHome | undefined {
  if (named === undefined || named === '') return undefined
  const home = homeFolder(named, {}, homedir())
  return ['mnemonic.db', 'config.yaml', TRACE_FOLDER].some((name) => existsSync(join(home, name))) ? undefined : { named, home }
}

/** Without this, a mistyped --home would create a new database. */
function noMemory({ named, home }: MissingHome): MnemonicError {
  return new MnemonicError('NOT_FOUND', `there is no memory in ${home}`, {
    details: { home },
    hint: `Check the path after --home; to start a memory there: mnemonic --home ${named} sync`,
  })
}

async function open(io: Io, globals: GlobalOptions, on: Pick<OpenMnemonicOptions, 'onMigrate' | 'onReadOnly'>): Promise<Mnemonic> {
  const { openMnemonic } = await import('../library/index.ts')
  const home = globals.home ?? nonEmpty(io.env.MNEMONIC_HOME)
  const workspace = globals.workspace ?? nonEmpty(io.env.MNEMONIC_WORKSPACE) ?? nonEmpty(io.env.SIGNET_WORKSPACE)
  return openMnemonic({ ...on, ...given({ home, workspace, agent: globals.agent }) })
}

function nonEmpty(value: string | undefined): string | undefined {
  return value === '' ? undefined : value
}
