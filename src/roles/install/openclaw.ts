import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { packageVersion } from '../../core/version.ts'
import { type Harness, HOOK_SECONDS } from './harness.ts'
import { hookModule } from './hook-module.ts'
import { jsonConfig } from './json-config.ts'
import { folderOf, type Machine } from './machine.ts'
import { ownFile } from './own-file.ts'
import { asServer, isServer, type Program } from './program.ts'

const MARK = 'Written by "mnemonic install openclaw"'

export const openclaw: Harness = {
  name: 'openclaw',
  title: 'OpenClaw',
  detect: (machine) => existsSync(folder(machine)) || existsSync(configFile(machine)),
  parts(machine, program) {
    const extension = join(folder(machine), 'extensions', 'mnemonic')
    const what = 'the plugin for OpenClaw'
    // The plugin first: OpenClaw reports an entry without its plugin as an error.
    return [
      ownFile({ path: join(extension, 'package.json'), what, text: jsonText(packageFile()), mark: 'mnemonic-for-openclaw' }),
      ownFile({ path: join(extension, 'openclaw.plugin.json'), what, text: jsonText(MANIFEST), mark: MARK.replaceAll('"', "'") }),
      ownFile({ path: join(extension, 'index.js'), what, text: pluginText(program), mark: MARK }),
      jsonConfig({
        path: configFile(machine),
        what: 'MCP server and plugin of OpenClaw',
        entries: [
          { kind: 'key', path: ['mcp', 'servers', 'mnemonic'], value: asServer(program), isOurs: isServer },
          {
            kind: 'key',
            path: ['plugins', 'entries', 'mnemonic'],
            value: { enabled: true, hooks: { allowConversationAccess: true } },
            isOurs: (found) => typeof found === 'object' && found !== null && 'enabled' in found,
          },
          { kind: 'listed', path: ['plugins', 'allow'], value: 'mnemonic' },
        ],
        hint: 'Comments and trailing commas are understood there, JSON5 is not.',
      }),
    ]
  },
  notes: () => ['Restart the gateway: openclaw gateway restart. Then "openclaw plugins inspect mnemonic --runtime" shows the hooks.'],
}

function folder(machine: Machine): string {
  const profile = machine.env.OPENCLAW_PROFILE?.trim() ?? ''
  const own = profile === '' || profile === 'default' ? '.openclaw' : `.openclaw-${profile}`
  return folderOf(machine, 'OPENCLAW_STATE_DIR') ?? join(machine.home, own)
}

function configFile(machine: Machine): string {
  return folderOf(machine, 'OPENCLAW_CONFIG_PATH') ?? join(folder(machine), 'openclaw.json')
}

const MANIFEST = {
  id: 'mnemonic',
  name: 'Mnemonic',
  description: `A local memory for agents. ${MARK.replaceAll('"', "'")}.`,
  configSchema: { type: 'object', additionalProperties: false, properties: {} },
}

function packageFile(): object {
  return {
    name: 'mnemonic-for-openclaw',
    version: packageVersion(),
    private: true,
    type: 'module',
    openclaw: { extensions: ['./index.js'] },
  }
}

function jsonText(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

function pluginText(program: Program): string {
  const ms = (seconds: number) => seconds * 1000
  return `// ${MARK}; changes to this file are lost. "mnemonic uninstall openclaw" removes it.
import { spawn } from 'node:child_process'

${hookModule(program, 'openclaw')}
const started = new Set()

function register(api) {
  const of = (event, context) => ({
    session_id: event?.sessionId ?? context?.sessionId ?? context?.sessionKey,
    cwd: context?.workspaceDir,
    // Whose memory it is, and whether it is a subagent's session: the hook decides by these.
    agentId: context?.agentId,
    sessionKey: context?.sessionKey ?? event?.sessionKey,
    sessionFile: event?.sessionFile ?? context?.sessionFile,
  })
  api.on(
    'before_prompt_build',
    async (event, context) => {
      const call = of(event, context)
      const isFirst = !started.has(call.session_id)
      started.add(call.session_id)
      const brief = isFirst ? await hook('session_start', { ...call, source: 'startup' }, ${ms(HOOK_SECONDS.session_start)}) : undefined
      const prompt = event.currentUserMessage ?? event.prompt ?? ''
      const found = await hook('prompt', { ...call, prompt }, ${ms(HOOK_SECONDS.prompt)})
      const text = [brief, found].filter((one) => one !== undefined).join('\\n\\n')
      return text === '' ? undefined : { prependContext: text }
    },
    { timeoutMs: ${ms(HOOK_SECONDS.session_start + HOOK_SECONDS.prompt)} },
  )
  const tell = (name, event, reason) =>
    api.on(name, async (told, context) => {
      await hook(event, { ...of(told, context), reason: reason(told) }, ${ms(HOOK_SECONDS.stop)})
    })
  tell('agent_end', 'stop', () => undefined)
  tell('session_end', 'session_end', (told) => told?.reason)
  tell('before_compaction', 'pre_compact', () => 'auto')
}

export default { id: 'mnemonic', name: 'Mnemonic', register }
`
}
