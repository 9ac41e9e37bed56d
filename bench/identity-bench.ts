/** Identity resolution on the labelled set of the tests. No times. */
import { join } from 'node:path'
import { HELD_OUT } from '../test/helpers/identity-set/held-out.ts'
import { TUNED } from '../test/helpers/identity-set/identity-set.ts'
import { measureIdentity, told } from '../test/helpers/identity-set/measure-identity.ts'
import { TOLD_APART } from '../test/helpers/identity-set/told-apart.ts'
import type { BenchContext } from './run.ts'

type Open = typeof import('../src/store/sqlite/open.ts')

export async function identityBench({ root, print }: BenchContext): Promise<void> {
  // Migrations lie beside the built program.
  const { openSqlite } = (await import(new URL('../../../dist/store/sqlite/open.js', import.meta.url).href)) as Open
  print('\n## Identity\n')
  for (const [part, set] of [
    ['tuned', TUNED],
    ['held out', HELD_OUT],
    ['told apart', TOLD_APART],
  ] as const) {
    for (const autoMerge of [false, true]) {
      const store = await openSqlite({ path: join(root, `identity-${part.replace(' ', '-')}-${autoMerge}.db`), clock: Date.now })
      print(told(await measureIdentity(store, autoMerge, set), `${part}, graph.auto_merge ${autoMerge ? 'on' : 'off'}`))
      await store.close()
    }
  }
}
