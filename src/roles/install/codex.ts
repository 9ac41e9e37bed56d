import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { HookEvent } from '../hooks/hook-call.ts'
import { CLAUDE_EVENTS, claudeHooks } from './claude-code.ts'
import type { HookEntry } from './entries.ts'
import type { Harness } from './harness.ts'
import { jsonConfig } from './json-config.ts'
import { folderOf, type Machine } from './machine.ts'
import { asServer, isServer, type Program } from './program.ts'
import { tomlConfig } from './toml-config.ts'

/** Codex kills session-end hooks after three seconds, and warns at every start about larger timeouts. */
const END_SECONDS = 3

/** Codex has no event for failed calls. */
const CODEX_EVENTS: Readonly<Record<HookEvent, string>> = { ...CLAUDE_EVENTS, tool_failed: 'PostToolUse' }
const CODEX_TOOLS = { before_tool: '^(Bash|apply_patch)$', tool_failed: '^(Bash|apply_patch)$' }

export const codex: Harness = {
  name: 'codex',
  title: 'Codex',
  detect: (machine) => existsSync(folder(machine)),
  parts: (machine, program) => [
    tomlConfig({
      path: join(folder(machine), 'config.toml'),
      what: 'the MCP server of Codex',
      table: ['mcp_servers', 'mnemonic'],
      value: asServer(program),
      isOurs: isServer,
    }),
    jsonConfig({ path: join(folder(machine), 'hooks.json'), what: 'the hooks of Codex', entries: hooks(machine, program) }),
  ],
  notes: (machine) => [
    'Codex runs new hooks only after you trusted them: type /hooks in its next session.',
    ...(hasInlineHooks(machine)
      ? ['Your config.toml holds hooks too. Codex runs both, and says at its start that there are two places.']
      : []),
  ],
}

function folder(machine: Machine): string {
  return folderOf(machine, 'CODEX_HOME') ?? join(machine.home, '.codex')
}

/** Same events and shape as Claude Code, timeouts in seconds. */
function hooks(machine: Machine, program: Program): HookEntry[] {
  const end: HookEvent = 'session_end'
  const options = { harness: 'codex', events: CODEX_EVENTS, tools: CODEX_TOOLS }
  return claudeHooks(machine, program, options).map((entry) =>
    entry.path.at(-1) === CLAUDE_EVENTS[end] ? { ...entry, handler: { ...entry.handler, timeout: END_SECONDS } } : entry,
  )
}

function hasInlineHooks(machine: Machine): boolean {
  const file = join(folder(machine), 'config.toml')
  return existsSync(file) && /^\s*\[\[?\s*hooks\s*\.\s*(?!state\b)/m.test(readFileSync(file, 'utf8'))
}
