import type { Cli } from './cli.ts'

export interface PagedOptions {
  readonly plain?: boolean
  /** The caller redraws the screen afterwards: use a pager for short texts too, and wait. */
  readonly stays?: boolean
}

/** Returns whether a pager showed the text. A pager pulls pieces as needed. */
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
    // LESS=FRX, as in git: exit if it fits, keep colours, leave the text.
    const code = await io.launch?.(pager, { input: all, env: lessOptions(io.env.LESS, stays) })
    if (code !== undefined) return true
    out.hint(`no pager: ${pager[0]} is not installed (MNEMONIC_PAGER and PAGER say which)`)
  }
  for await (const piece of all) if (io.stdout.write(piece) === false) await drained(io.stdout)
  return false
}

/** Keeps the person's options, except -F if the screen is redrawn afterwards. */
function lessOptions(own: string | undefined, stays: boolean): Record<string, string> {
  if (stays) return { LESS: own === undefined ? 'R' : `${own} -+F` }
  return own === undefined ? { LESS: 'FRX' } : {}
}

/** Backpressure: a long session is never wholly in memory. */
function drained(stdout: Cli['io']['stdout']): Promise<void> {
  return new Promise((resolve) => {
    if (stdout.once === undefined) return resolve()
    stdout.once('drain', resolve)
    stdout.once('close', resolve)
  })
}

async function* replayed(read: readonly string[], rest: AsyncIterator<string>): AsyncGenerator<string> {
  yield* read
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value
}

function pagerOf(env: Readonly<Record<string, string | undefined>>): string[] | undefined {
  const words = (env.MNEMONIC_PAGER ?? env.PAGER ?? 'less').split(' ').filter((word) => word !== '')
  return words.length === 0 || words[0] === 'cat' || env.TERM === 'dumb' ? undefined : words
}
