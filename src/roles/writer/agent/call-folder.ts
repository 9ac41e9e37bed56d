/** Serves the calls that scripts leave as files, one at a time. Their content is untrusted. */
import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RunFolder } from './run-folder.ts'

export interface ScriptCall {
  readonly script: 'search' | 'write'
  readonly args: readonly string[]
}

export interface CallAnswer {
  readonly text: string
  /** 0: done; 1: refused, with the reason; 3: the run is over. */
  readonly code: 0 | 1 | 3
}

export interface ServedCalls {
  /** Waits for the current call. Later calls get no answer. */
  stop(): Promise<void>
}

const EVERY_MS = 40
const MOST_ARGUMENTS = 24
const LONGEST_ARGUMENT = 4_000
const NAME = /^call-(\d+-\d+)$/
/** Names are reused after an answer is taken, so old calls remain: this bounds them. */
const MOST_AT_ONCE = 16

export function serveCalls({ calls, answers }: RunFolder, answer: (call: ScriptCall) => Promise<CallAnswer>): ServedCalls {
  let stopped = false
  let working: Promise<void> = Promise.resolve()
  let isWorking = false

  async function look(): Promise<void> {
    for (const name of waiting(calls)) {
      if (stopped) return
      const id = NAME.exec(name)?.[1] as string
      const call = readCall(join(calls, name))
      const said: CallAnswer =
        call === undefined ? { code: 1, text: 'refused: this is no call of the scripts, or an argument is too long\n' } : await answer(call)
      if (stopped) return
      rmSync(join(calls, name), { recursive: true, force: true })
      writeFileSync(join(answers, `${id}.text`), said.text, { mode: 0o600 })
      writeFileSync(join(answers, `${id}.new`), `${said.code}\n`, { mode: 0o600 })
      renameSync(join(answers, `${id}.new`), join(answers, `${id}.code`))
    }
  }

  const timer = setInterval(() => {
    if (isWorking) return
    isWorking = true
    // The program may delete its own folder: then there are no calls.
    working = look()
      .catch(() => undefined)
      .finally(() => {
        isWorking = false
      })
  }, EVERY_MS)

  return {
    async stop() {
      stopped = true
      clearInterval(timer)
      await working
    },
  }
}

function waiting(calls: string): string[] {
  return readdirSync(calls)
    .filter((name) => NAME.test(name))
    .slice(0, MOST_AT_ONCE)
}

function readCall(folder: string): ScriptCall | undefined {
  if (!lstatSync(folder).isDirectory()) return undefined
  const [, script, count] = /^(search|write) (\d{1,2})$/.exec(readSmall(join(folder, 'call')) ?? '') ?? []
  if ((script !== 'search' && script !== 'write') || Number(count) > MOST_ARGUMENTS) return undefined
  const args = Array.from({ length: Number(count) }, (_, at) => readSmall(join(folder, String(at))))
  return args.every((one) => one !== undefined) ? { script, args } : undefined
}

/** Undefined for links, pipes and long files. */
function readSmall(path: string): string | undefined {
  let file: number | undefined
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
    if (!fstatSync(file).isFile()) return undefined
    const bytes = Buffer.alloc(LONGEST_ARGUMENT + 1)
    const length = readSync(file, bytes, 0, bytes.length, 0)
    return length > LONGEST_ARGUMENT ? undefined : bytes.toString('utf8', 0, length).replaceAll('\0', '')
  } catch {
    return undefined // deleted, or not readable
  } finally {
    if (file !== undefined) closeSync(file)
  }
}
