/** Long text on a terminal: in a pager where it is longer than the screen, else as it is. In a pipe never. */
import type { Cli } from './cli.ts'

export interface PagedOptions {
  /** No pager in any case. */
  readonly plain?: boolean
  /** The screen is covered afterwards: a pager shows short texts too, and waits until it is left. */
  readonly stays?: boolean
}

/** Prints `pieces` one after another; a pager reads them as they are asked for. Returns whether a pager showed them. */
export async function printPaged({ io, out }: Cli, pieces: AsyncIterable<string>, options: PagedOptions = {}): Promise<boolean> {
  const { plain = false, stays = false } = options
  const pager = plain || !io.isTTY.stdout || io.launch === undefined ? undefined : pagerOf(io.env)
  const rest = pieces[Symbol.asyncIterator]()
  const read: string[] = []
  if (pager !== undefined && !stays) {
    const room = (io.rows || 24) - 1
    for (let lines = 0; lines < room; ) {
      const next = await rest.next()
      if (next.done === true) {
        io.stdout.write(read.join(''))
        return false
      }
      read.push(next.value)
      lines += next.value.split('\n').length - 1
    }
  }
  const all = { [Symbol.asyncIterator]: () => replayed(read, rest) }
  if (pager !== undefined) {
    // As git does it: stay on the screen what fits, keep colours, leave the text there.
    const code = await io.launch?.(pager, { input: all, env: lessOptions(io.env.LESS, stays) })
    if (code !== undefined) return true
    out.hint(`no pager: ${pager[0]} is not installed (MNEMONIC_PAGER and PAGER say which)`)
  }
  for await (const piece of all) if (io.stdout.write(piece) === false) await drained(io.stdout)
  return false
}

/** The person's own options hold, but that a screen which is covered afterwards is not left at once (-F). */
function lessOptions(own: string | undefined, stays: boolean): Record<string, string> {
  if (stays) return { LESS: own === undefined ? 'R' : `${own} -+F` }
  return own === undefined ? { LESS: 'FRX' } : {}
}

/** A reader that is slower than we are sets the pace: a long session is never in memory as a whole. */
function drained(stdout: Cli['io']['stdout']): Promise<void> {
  return new Promise((resolve) => {
    if (stdout.once === undefined) return resolve()
    stdout.once('drain', resolve)
    stdout.once('close', resolve)
  })
}

/** What was read before, then the rest. */
async function* replayed(read: readonly string[], rest: AsyncIterator<string>): AsyncGenerator<string> {
  yield* read
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value
}

/** Program and arguments; undefined where the person wants none. Words are separated by spaces: no shell reads them. */
function pagerOf(env: Readonly<Record<string, string | undefined>>): string[] | undefined {
  const words = (env.MNEMONIC_PAGER ?? env.PAGER ?? 'less').split(' ').filter((word) => word !== '')
  return words.length === 0 || words[0] === 'cat' || env.TERM === 'dumb' ? undefined : words
}
