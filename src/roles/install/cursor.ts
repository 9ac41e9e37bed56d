/** Editor and command line share these files. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type HookEvent, SESSION_EVENTS } from '../hooks/hook-call.ts'
import { type Harness, HOOK_SECONDS } from './harness.ts'
import { jsonConfig } from './json-config.ts'
import type { Machine } from './machine.ts'
import { asCommandLine, asServer, hookWords, isHookOf, isServer } from './program.ts'

/** Cursor takes no context before a tool call. */
const EVENTS: Readonly<Record<Exclude<HookEvent, 'before_tool'>, string>> = {
  session_start: 'sessionStart',
  prompt: 'beforeSubmitPrompt',
  stop: 'stop',
  session_end: 'sessionEnd',
  pre_compact: 'preCompact',
  tool_failed: 'postToolUse',
}

const CURSOR_EVENTS = [...SESSION_EVENTS, 'tool_failed'] as const

export const cursor: Harness = {
  name: 'cursor',
  title: 'Cursor',
  detect: (machine) => existsSync(folder(machine)),
  parts: (machine, program) => [
    jsonConfig({
      path: join(folder(machine), 'mcp.json'),
      what: 'the MCP server of Cursor',
      entries: [{ kind: 'key', path: ['mcpServers', 'mnemonic'], value: asServer(program), isOurs: isServer }],
    }),
    jsonConfig({
      path: join(folder(machine), 'hooks.json'),
      what: 'the hooks of Cursor',
      fresh: { version: 1 },
      // Timeouts are in seconds; entries have no group.
      entries: CURSOR_EVENTS.map((event) => ({
        kind: 'hook',
        path: ['hooks', EVENTS[event]],
        grouped: false,
        ...(event === 'tool_failed' ? { matcher: 'Shell' } : {}),
        handler: { command: asCommandLine(machine, hookWords(program, 'cursor', event)), timeout: HOOK_SECONDS[event] },
        isOurs: isHookOf('cursor', event),
      })),
    }),
  ],
  notes: () => ['Start Cursor again, then look at Settings, Hooks and Settings, MCP.'],
}

/** A configured other folder applies to the command line alone; editor and command line both read this one. */
function folder(machine: Machine): string {
  return join(machine.home, '.cursor')
}
