/** In detection order, most generic last; each loads on demand. docs/adapters/add-a-harness.md explains how to add one. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { resolveOwner } from '../config/owner.ts'
import type { Paths } from '../config/paths.ts'
import type { Config } from '../config/schema.ts'
import type { HARNESS_SOURCES, PERSONAL_SOURCES } from '../config/source-names.ts'
import type { Adapter } from './adapter.ts'
import { type AdapterDescription, describeSource, type SourceName, type SourceOptions } from './capture/descriptions.ts'

type Configured = (typeof HARNESS_SOURCES)[number] | (typeof PERSONAL_SOURCES)[number]

export function builtInAdapters(config: Config, paths: Paths): Adapter[] {
  const source = (name: Configured & SourceName, load: (options: SourceOptions) => Promise<Adapter>, own: SourceOptions = {}) => {
    const { paths: configured } = config.sources[name]
    const options = configured.length > 0 ? { paths: configured } : own
    return lazyAdapter(describeSource(name, options), () => load(options))
  }
  const { name, emails = [], phones } = config.owner
  const owners = [...(name === undefined ? [] : [name]), ...emails, ...phones]
  const owner = async () => (await import('./events/calendar-owner.ts')).calendarOwner(config)
  return [
    source('claude-code', async (options) => (await import('./capture/claude-code.ts')).claudeCode(options)),
    source('codex', async (options) => (await import('./capture/codex.ts')).codex(options)),
    source('cursor', async (options) => (await import('./capture/cursor.ts')).cursor(options)),
    source('openclaw', async (options) => (await import('./capture/openclaw.ts')).openclaw({ ...options, owners })),
    source('pi', async (options) => (await import('./capture/pi.ts')).pi(options)),
    source('nexus', async (options) => (await import('./capture/nexus.ts')).nexus(options)),
    source('opencode', async (options) => (await import('./capture/opencode.ts')).opencode(options)),
    source('gemini-cli', async (options) => (await import('./capture/gemini-cli.ts')).geminiCli(options)),
    source('chatgpt', async (options) => (await import('./capture/chatgpt.ts')).chatgpt(options)),
    source('claude-ai', async (options) => (await import('./capture/claude-ai.ts')).claudeAi(options)),
    // Contacts first, so that their names apply in the same sync.
    source('contacts', async (options) => (await import('./events/contacts.ts')).contacts({ ...options, phones })),
    source('imessage', async (options) => (await import('./events/imessage.ts')).imessage({ ...options, phones, emails })),
    source('calendar', async (options) => (await import('./events/calendar.ts')).calendar({ ...options, ...(await owner()) })),
    source('gmail', async (options) => (await import('./events/gmail.ts')).gmail({ ...options, owners: resolveOwner(config).emails })),
    lazyAdapter(describeSource('aix-agents'), async () => (await import('./capture/aix-agents.ts')).aixAgents({ own: paths.database })),
    source('jsonl', async (options) => (await import('./capture/jsonl.ts')).jsonl(options), {
      paths: [join(paths.workspace, 'sessions')],
    }),
  ]
}

function lazyAdapter(description: AdapterDescription, load: () => Promise<Adapter>): Adapter {
  let loading: Promise<Adapter> | undefined
  const adapter = () => {
    loading ??= load()
    return loading
  }
  return {
    ...description,
    async *discover(asked) {
      if (asked.path === undefined && !description.defaultPaths().some(mayExist)) return
      yield* (await adapter()).discover(asked)
    },
    recognises: async (head, path) => (await adapter()).recognises(head, path),
    recognisesDatabase: async (database, path) => (await adapter()).recognisesDatabase?.(database, path) ?? false,
    age: async (unit, reader, at) => (await adapter()).age?.(unit, reader, at) ?? 0,
    read: (unit, since, reader) => opened(async () => (await adapter()).read(unit, since, reader)),
  }
}

function mayExist(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    return true
  }
}

/** A plain iterator: a generator per record costs more than parsing many lines. */
function opened<T>(open: () => Promise<AsyncIterable<T>>): AsyncIterable<T> {
  return {
    [Symbol.asyncIterator]() {
      let items: AsyncIterator<T> | undefined
      return {
        async next() {
          items ??= (await open())[Symbol.asyncIterator]()
          return items.next()
        },
        return: async () => (await items?.return?.()) ?? { done: true, value: undefined },
      }
    },
  }
}
