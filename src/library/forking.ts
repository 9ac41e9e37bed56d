import { dirname } from 'node:path'
import { removeLeftovers, writeAtomic } from '../core/atomic-file.ts'
import { given } from '../core/given.ts'
import { noteCopies } from '../store/copies.ts'
import type { Forking } from './fork-calls.ts'
import type { Mnemonic } from './mnemonic.ts'
import type { Home } from './open-home.ts'

export function forking(home: Home, search: Mnemonic['search']): Forking {
  const options = async () => ({ store: await home.current(), search, agentId: home.config.agent })
  const load = async () => ({ ...(await import('../fork/build-fork.ts')), ...(await import('../fork/markdown.ts')) })
  const target = async (file: string) =>
    (await import('../operations/target-file.ts')).targetFile(file, { paths: home.paths, force: false, forceHint: 'a fork replaces none.' })
  return {
    async buildForkContext(request) {
      const { buildFork, jsonForm } = await load()
      const { query, total_tokens, relevant_turns } = await buildFork(request, jsonForm, await options())
      return { query, total_tokens, relevant_turns }
    },
    async forkText(request) {
      const { buildFork, markdownForm } = await load()
      const { query, total_tokens, relevant_turns, text } = await buildFork(request, markdownForm, await options())
      return { query, total_tokens, relevant_turns, text }
    },
    async writeFork({ format, out, ...request }) {
      const path = await target(out)
      const { buildFork, jsonForm, markdownForm } = await load()
      const used = await options()
      const { text, drafts: _, ...context } = await buildFork(request, format === 'json' ? jsonForm : markdownForm, used)
      // Recorded before writing, so that forgetting finds the file.
      await used.store.write((tx) => noteCopies(tx, 'forks', [path]))
      removeLeftovers(dirname(path), Date.now())
      await writeAtomic(path, [format === 'json' ? `${JSON.stringify(context)}\n` : text], { exclusive: true })
      return { ...context, path }
    },
    async forkSession(request) {
      const { forkSession } = await import('../fork/native/fork-session.ts')
      const out = request.out === undefined ? undefined : await target(request.out)
      return forkSession({ ...request, ...given({ out }) }, await options())
    },
  }
}
