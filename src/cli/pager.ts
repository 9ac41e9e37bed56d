/** Long text on a terminal: in a pager where it is longer than the screen, else as it is. In a pipe never. */
import type { Cli } from './cli.ts'

/** `pieces` are printed one after another; a pager reads them as they are asked for. `plain`: no pager in any case. */
export async function printPaged({ io, out }: Cli, pieces: AsyncIterable<string>, { plain = false } = {}): Promise<void> {
  const pager = plain || !io.isTTY.stdout || io.launch === undefined ? undefined : pagerOf(io.env)
  const rest = pieces[Symbol.asyncIterator]()
  const read: string[] = []
  if (pager !== undefined) {
    const room = (io.rows || 24) - 1
    for (let lines = 0; lines < room; ) {
      const next = await rest.next()
      if (next.done === true) return void io.stdout.write(read.join(''))
      read.push(next.value)
      lines += next.value.split('\n').length - 1
    }
  }
  const all = { [Symbol.asyncIterator]: () => replayed(read, rest) }
  if (pager !== undefined) {
    // As git does it: stay on the screen what fits, keep colours, leave the text there.
    const code = await io.launch?.(pager, { input: all, env: io.env.LESS === undefined ? { LESS: 'FRX' } : {} })
    if (code !== undefined) return
    out.hint(`no pager: ${pager[0]} is not installed (MNEMONIC_PAGER and PAGER say which)`)
  }
  for await (const piece of all) if (io.stdout.write(piece) === false) await drained(io.stdout)
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
