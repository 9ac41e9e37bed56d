/** A changed `index.tools` holds at once, before the next sync applies it. */
import { MnemonicError } from '../core/error.ts'
import type { Store } from './store.ts'
import type { ToolIndexing, Work, WorkFilter, WorkFound } from './work.ts'

const NOTHING: WorkFound = { hits: [], total: 0, counted: true }
const NONE = { files: [], total: 0 }

/** `all` has no suffix: databases older than the setting keep their identity. */
export function identityFor(tools: ToolIndexing, version: string): string {
  return tools === 'all' ? version : `${version}/${tools}`
}

export function toolsOf(identity: string): ToolIndexing {
  return identity.endsWith('/off') ? 'off' : identity.endsWith('/words') ? 'words' : 'all'
}

export function gatedStore(store: Store, tools: ToolIndexing): Store {
  const isFollowed = async () => {
    const { META, readMeta } = await import('./meta.ts')
    const built = await readMeta(store.read, META.workIdentity)
    return built === undefined || toolsOf(built) === tools
  }
  // With `all`, a smaller index holds nothing that must be hidden.
  const isSeen = async () => tools === 'all' || (tools === 'words' && (await isFollowed()))
  const work = gatedWork(store, { tools, isSeen, isFollowed })
  const files: Store['reader']['files'] = async (session, most) => ((await isSeen()) ? store.reader.files(session, most) : [])
  const reader = Object.create(store.reader, { files: { value: files, enumerable: true } }) as Store['reader']
  return Object.create(store, { work: { value: work, enumerable: true }, reader: { value: reader, enumerable: true } }) as Store
}

interface Gate {
  readonly tools: ToolIndexing
  readonly isSeen: () => Promise<boolean>
  /** Whether the index was built with the current setting. */
  readonly isFollowed: () => Promise<boolean>
}

function gatedWork(store: Store, { tools, isSeen, isFollowed }: Gate): Work {
  const { work } = store
  const isAnswered = async () => tools !== 'off' && (await isFollowed())
  return {
    tools,
    async search(query, filter, limit) {
      const found = (await isSeen()) ? await work.search(query, filter, limit) : NOTHING
      if (found.total === 0 && asksForCalls(filter) && !(await isAnswered())) throw notIndexed(tools)
      return found
    },
    async calls(ids, maxChars) {
      if (!(await isSeen())) return []
      const calls = await work.calls(ids, maxChars)
      return tools === 'all' ? calls : calls.map((call) => ({ ...call, result_json: null }))
    },
    async files(filter, limit) {
      const found = (await isSeen()) ? await work.files(filter, limit) : NONE
      if (found.total === 0 && !(await isAnswered())) throw notIndexed(tools)
      return found
    },
    changedSince: async (session, limit) => ((await isSeen()) ? work.changedSince(session, limit) : NONE),
    documentFrequency: async (term) => ((await isSeen()) ? work.documentFrequency(term) : 0),
    async coverage() {
      if (tools === 'off') return { calls: 0, shortened: 0, waiting_sessions: 0 }
      const coverage = await work.coverage()
      if (await isFollowed()) return coverage
      const { sessions } = await store.read
        .selectFrom('agent_tool_calls')
        .select((eb) => eb.fn.count<number>('session_id').distinct().as('sessions'))
        .executeTakeFirstOrThrow()
      return { ...coverage, ...(tools === 'words' ? { calls: 0, shortened: 0 } : {}), waiting_sessions: Number(sessions) }
    },
  }
}

/** A search with `actions` refines an earlier one, so an empty result is no error. */
function asksForCalls({ file, tool, command, errors, actions }: WorkFilter): boolean {
  if (actions !== undefined) return false
  return file !== undefined || tool !== undefined || command !== undefined || errors === true
}

export function notIndexed(tools: ToolIndexing): MnemonicError {
  const details = { key: 'index.tools', value: tools }
  if (tools === 'off')
    return new MnemonicError('NOT_SUPPORTED', 'tool calls are not indexed here: index.tools is off', {
      details,
      hint: 'To find them, set index.tools to words or all in config.yaml: the next sync indexes them.',
    })
  return new MnemonicError('NOT_SUPPORTED', `index.tools became ${tools}, and tool calls were not indexed again since`, {
    details,
    hint: 'Index them as index.tools says: mnemonic sync.',
  })
}
