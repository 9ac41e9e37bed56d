/** Hooks go to settings.json; the MCP server goes to .claude.json, which holds servers of all projects. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { given } from '../../core/given.ts'
import type { ToolEvent } from '../../core/hook-gate.ts'
import { HOOK_EVENTS, type HookEvent, isToolEvent } from '../hooks/hook-call.ts'
import type { HookEntry } from './entries.ts'
import { type Harness, HOOK_SECONDS } from './harness.ts'
import { jsonConfig } from './json-config.ts'
import { folderOf, type Machine } from './machine.ts'
import { asCommandLine, asServer, hookWords, isHookOf, isServer, type Program } from './program.ts'

export const CLAUDE_EVENTS: Readonly<Record<HookEvent, string>> = {
  session_start: 'SessionStart',
  prompt: 'UserPromptSubmit',
  stop: 'Stop',
  session_end: 'SessionEnd',
  pre_compact: 'PreCompact',
  before_tool: 'PreToolUse',
  tool_failed: 'PostToolUseFailure',
}

const CLAUDE_TOOLS: ToolMatchers = { before_tool: 'Bash|Edit|MultiEdit|Write|NotebookEdit' }

export const claudeCode: Harness = {
  name: 'claude-code',
  title: 'Claude Code',
  detect: (machine) => existsSync(configFolder(machine)) || existsSync(stateFile(machine)),
  parts: (machine, program) => [
    jsonConfig({
      path: settingsFile(machine),
      what: 'the hooks of Claude Code',
      entries: claudeHooks(machine, program),
    }),
    jsonConfig({
      path: stateFile(machine),
      what: 'the MCP server of Claude Code',
      entries: [{ kind: 'key', path: ['mcpServers', 'mnemonic'], value: { type: 'stdio', ...asServer(program) }, isOurs: isServer }],
      hint: 'Or run: claude mcp add --scope user mnemonic -- mnemonic mcp',
    }),
  ],
  notes: () => ['Takes effect in new sessions of Claude Code. /hooks and /mcp there show it.'],
}

export function settingsFile(machine: Machine): string {
  return join(configFolder(machine), 'settings.json')
}

/** Claude Code takes one folder. Some people list several for other programs: the first counts. */
function configFolder(machine: Machine): string {
  const [first] = (machine.env.CLAUDE_CONFIG_DIR ?? '').split(',')
  return folderOf({ ...machine, env: { FOLDER: first } }, 'FOLDER') ?? join(machine.home, '.claude')
}

function stateFile(machine: Machine): string {
  return join(machine.env.CLAUDE_CONFIG_DIR?.trim() ? configFolder(machine) : machine.home, '.claude.json')
}

type ToolMatchers = Readonly<Partial<Record<ToolEvent, string>>>

export interface ClaudeHookOptions {
  readonly harness?: string
  readonly events?: Readonly<Record<HookEvent, string>>
  readonly tools?: ToolMatchers
}

/** Timeouts are in seconds. */
export function claudeHooks(
  machine: Machine,
  program: Program,
  { harness = 'claude-code', events = CLAUDE_EVENTS, tools = CLAUDE_TOOLS }: ClaudeHookOptions = {},
): HookEntry[] {
  return HOOK_EVENTS.map((event) => ({
    kind: 'hook',
    path: ['hooks', events[event]],
    grouped: true,
    ...given({ matcher: isToolEvent(event) ? tools[event] : undefined }),
    handler: { type: 'command', command: asCommandLine(machine, hookWords(program, harness, event)), timeout: HOOK_SECONDS[event] },
    isOurs: isHookOf(harness, event),
  }))
}
