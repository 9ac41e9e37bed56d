import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type Harness, HOOK_SECONDS } from './harness.ts'
import { hookModule } from './hook-module.ts'
import { jsonConfig } from './json-config.ts'
import { configHome, folderOf, type Machine } from './machine.ts'
import { ownFile } from './own-file.ts'
import { asServer, isServer, type Program } from './program.ts'

const MOST_CALLS = 100
const MARK = 'Written by "mnemonic install opencode"'

export const opencode: Harness = {
  name: 'opencode',
  title: 'opencode',
  detect: (machine) => existsSync(folder(machine)) || existsSync(configFile(machine)),
  parts(machine, program) {
    const { command, args } = asServer(program)
    return [
      jsonConfig({
        path: configFile(machine),
        what: 'the MCP server of opencode',
        entries: [
          {
            kind: 'key',
            path: ['mcp', 'mnemonic'],
            value: { type: 'local', command: [command, ...args], enabled: true },
            isOurs: isServer,
          },
        ],
      }),
      ownFile({
        path: join(folder(machine), 'plugins', 'mnemonic.js'),
        what: 'the plugin for opencode',
        text: pluginText(program),
        mark: MARK,
      }),
    ]
  },
  notes: () => ['Takes effect at the next start of opencode.'],
}

function folder(machine: Machine): string {
  return folderOf(machine, 'OPENCODE_CONFIG_DIR') ?? join(configHome(machine), 'opencode')
}

/** The existing file, in opencode's search order; else a new opencode.json. */
function configFile(machine: Machine): string {
  const named = folderOf(machine, 'OPENCODE_CONFIG')
  if (named !== undefined && /^opencode\.jsonc?$/.test(basename(named))) return join(dirname(named), basename(named))
  const names = ['opencode.jsonc', 'opencode.json']
  const found = names.map((name) => join(folder(machine), name)).find((path) => existsSync(path))
  return named ?? found ?? join(folder(machine), 'opencode.json')
}

/** One file for both generations of opencode: the first reads `server`, the second `setup`. */
function pluginText(program: Program): string {
  const ms = (seconds: number) => seconds * 1000
  return `// ${MARK}; changes to this file are lost. "mnemonic uninstall opencode" removes it.
import { spawn } from 'node:child_process'

${hookModule(program, 'opencode')}
const started = new Set()
/** Sessions of subagents: they get no memory, and are read with the session that started them. */
const children = new Set()
/** What running tools were called with. */
const calls = new Map()

/** What memory has for a prompt: before the first of a session also where its project stands. */
async function remembered(session_id, cwd, prompt) {
  if (children.has(session_id)) return ''
  const isFirst = !started.has(session_id)
  started.add(session_id)
  const brief = isFirst ? await hook('session_start', { session_id, cwd, source: 'startup' }, ${ms(HOOK_SECONDS.session_start)}) : undefined
  const found = await hook('prompt', { session_id, cwd, prompt }, ${ms(HOOK_SECONDS.prompt)})
  return [brief, found].filter((text) => text !== undefined).join('\\n\\n')
}

const tell = async (event, session_id, cwd) => children.has(session_id) || hook(event, { session_id, cwd }, ${ms(HOOK_SECONDS.stop)})

/** opencode 1 */
async function server({ directory }) {
  return {
    'chat.message': async (input, output) => {
      const prompt = output.parts.filter((part) => part.type === 'text' && !part.synthetic).map((part) => part.text)
      const text = await remembered(input.sessionID, directory, prompt.join('\\n'))
      if (text === '') return
      const { id, sessionID } = output.message
      const part = 'prt_' + Date.now().toString(16).padStart(12, '0') + 'mnemonic' + output.parts.length
      output.parts.push({ id: part, sessionID, messageID: id, type: 'text', text, synthetic: true })
    },
    'tool.execute.before': async ({ callID }, { args }) => {
      if (calls.size >= ${MOST_CALLS}) calls.clear()
      calls.set(callID, args)
    },
    // Only for commands that failed: a call that passed starts no program.
    'tool.execute.after': async ({ tool, sessionID, callID, args }, output) => {
      const tool_input = args ?? calls.get(callID)
      calls.delete(callID)
      const exit = output?.metadata?.exit
      if (typeof exit !== 'number' || exit === 0 || children.has(sessionID)) return
      const tool_response = { exit, output: output.output }
      const call = { session_id: sessionID, cwd: directory, tool_name: tool, tool_input, tool_response }
      const text = await hook('tool_failed', call, ${ms(HOOK_SECONDS.tool_failed)})
      if (text !== undefined) output.output += '\\n\\n' + text
    },
    'experimental.session.compacting': async ({ sessionID }) => {
      await tell('pre_compact', sessionID, directory)
    },
    event: async ({ event }) => {
      if (event.type === 'session.created' && event.properties.info?.parentID) children.add(event.properties.info.id)
      if (event.type === 'session.idle') await tell('stop', event.properties.sessionID, directory)
      if (event.type === 'session.deleted') await tell('session_end', event.properties.info?.id, directory)
    },
  }
}

/** opencode 2 */
async function setup(context) {
  // The first generation calls this too, with a context that has no sessions.
  if (typeof context?.session?.hook !== 'function') return undefined
  const cwd = context.location?.directory
  const found = new Map()
  await context.session.hook('prompt', async (event) => {
    found.set(event.sessionID, await remembered(event.sessionID, cwd, event.prompt?.text ?? ''))
  })
  await context.session.hook('context', (event) => {
    const text = found.get(event.sessionID)
    if (text) event.system.push({ type: 'text', text })
  })
  await context.session.hook('compaction', async (event) => {
    await tell('pre_compact', event.sessionID, cwd)
  })
  const follow = async () => {
    for await (const { type, data } of context.event.subscribe()) {
      if (type === 'session.execution.succeeded') await tell('stop', data?.sessionID, cwd)
      if (type === 'session.deleted') await tell('session_end', data?.sessionID, cwd)
    }
  }
  follow().catch(() => undefined)
  return undefined
}

export default { id: 'mnemonic', server, setup }
`
}
