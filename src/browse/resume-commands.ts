/**
 * How each harness takes up an old session, and where that is written: its own documentation where it was at hand, else what its users report.
 * None of these programs was run. A harness that is not here cannot, as far as is known.
 */

export interface ResumedSession {
  readonly native_id: string
  /** Of OpenClaw: the name that its commands take. */
  readonly session_key: string | null
}

interface Harness {
  /** For people. */
  readonly name: string
  /** Program and arguments; undefined where the session has no name that the program takes. */
  readonly argv: (session: ResumedSession) => readonly string[] | undefined
}

export const HARNESSES: Readonly<Record<string, Harness>> = {
  // Claude Code 2.1: `claude --resume ID`, as its users report it (anthropics/claude-code issues 20132, 39553).
  'claude-code': { name: 'Claude Code', argv: ({ native_id }) => ['claude', '--resume', native_id] },
  // Codex CLI 0.39: `codex resume [SESSION_ID]`, from a copy of its documentation.
  codex: { name: 'Codex', argv: ({ native_id }) => ['codex', 'resume', native_id] },
  // Gemini CLI, geminicli.com/docs/cli/session-management: --resume takes an index or the full UUID, in the project's folder.
  'gemini-cli': { name: 'Gemini CLI', argv: ({ native_id }) => ['gemini', '--resume', native_id] },
  // OpenCode, opencode.ai/docs/cli: --session, -s.
  opencode: { name: 'OpenCode', argv: ({ native_id }) => ['opencode', '--session', native_id] },
  // Cursor CLI: `cursor-agent --resume [chatId]` (coder/registry issue 747). Only for sessions of the CLI, not of the editor.
  cursor: { name: 'Cursor', argv: ({ native_id }) => ['cursor-agent', '--resume', native_id] },
  // GitHub Copilot CLI 1.0.51: it prints `copilot --resume=ID` at the end of a session (github/copilot-cli issue 3458).
  copilot: { name: 'Copilot CLI', argv: ({ native_id }) => ['copilot', `--resume=${native_id}`] },
  // pi 0.85.1: --session <path|id>, as its help is quoted. (--session-id would begin a new one where it is missing.)
  pi: { name: 'pi', argv: ({ native_id }) => ['pi', '--session', native_id] },
  // OpenClaw, docs.openclaw.ai/cli/resume: an exact session key. A key that several sessions had in turn leads to the newest only.
  openclaw: { name: 'OpenClaw', argv: ({ session_key }) => (session_key === null ? undefined : ['openclaw', 'resume', session_key]) },
}

/** Conversations in a browser. */
export const PAGES: Readonly<Record<string, string>> = { chatgpt: 'https://chatgpt.com/c/', 'claude-ai': 'https://claude.ai/chat/' }

/** What may stand in a command: nothing that a program takes for an option or a path elsewhere. */
export const PLAIN_ID = /^[A-Za-z0-9][A-Za-z0-9_.:@+-]{0,199}$/

/** One word of a POSIX shell, whatever is in it. */
export function shellWord(text: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
