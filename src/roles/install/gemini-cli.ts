import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type HookEvent, SESSION_EVENTS } from '../hooks/hook-call.ts'
import type { JsonEntry } from './entries.ts'
import { type Harness, HOOK_SECONDS } from './harness.ts'
import { jsonConfig } from './json-config.ts'
import { folderOf, type Machine } from './machine.ts'
import { asCommandLine, asServer, hookWords, isHookOf, isServer } from './program.ts'

/** Gemini CLI takes no context before a tool call. */
const EVENTS: Readonly<Record<Exclude<HookEvent, 'before_tool'>, string>> = {
  session_start: 'SessionStart',
  prompt: 'BeforeAgent',
  stop: 'AfterAgent',
  session_end: 'SessionEnd',
  pre_compact: 'PreCompress',
  tool_failed: 'AfterTool',
}

const GEMINI_EVENTS = [...SESSION_EVENTS, 'tool_failed'] as const

export const geminiCli: Harness = {
  name: 'gemini-cli',
  title: 'Gemini CLI',
  detect: (machine) => existsSync(folder(machine)),
  parts: (machine, program) => [
    jsonConfig({
      path: join(folder(machine), 'settings.json'),
      what: 'MCP server and hooks of Gemini CLI',
      entries: [
        { kind: 'key', path: ['mcpServers', 'mnemonic'], value: asServer(program), isOurs: isServer },
        // Timeouts are in milliseconds.
        ...GEMINI_EVENTS.map(
          (event): JsonEntry => ({
            kind: 'hook',
            path: ['hooks', EVENTS[event]],
            grouped: true,
            ...(event === 'tool_failed' ? { matcher: 'run_shell_command|replace|write_file|edit' } : {}),
            handler: {
              name: `mnemonic-${event.replaceAll('_', '-')}`,
              type: 'command',
              command: asCommandLine(machine, hookWords(program, 'gemini-cli', event)),
              timeout: HOOK_SECONDS[event] * 1000,
            },
            isOurs: isHookOf('gemini-cli', event),
          }),
        ),
      ],
    }),
  ],
  notes: () => ['Needs a Gemini CLI with hooks (0.26 or newer). Takes effect at its next start; /hooks list there shows them.'],
}

/** GEMINI_CLI_HOME replaces the home folder, not `.gemini`. */
function folder(machine: Machine): string {
  return join(folderOf(machine, 'GEMINI_CLI_HOME') ?? machine.home, '.gemini')
}
