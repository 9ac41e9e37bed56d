/**
 * How each harness resumes a session, with sources: its documentation, else reports of users. None of these programs was run. Harnesses
 * that are missing here cannot, as far as known.
 */

export interface ResumedSession {
  readonly native_id: string
  /** OpenClaw: the name that its commands take. */
  readonly session_key: string | null
}

interface Harness {
  readonly name: string
  /** Undefined if the session has no name that the program takes. */
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
  // pi 0.85.1: --session <path|id>, as its help is quoted. (--session-id would begin a new one if it is missing.)
  pi: { name: 'pi', argv: ({ native_id }) => ['pi', '--session', native_id] },
  // OpenClaw, docs.openclaw.ai/cli/resume: an exact session key. If several sessions had the key, it leads to the newest.
  openclaw: { name: 'OpenClaw', argv: ({ session_key }) => (session_key === null ? undefined : ['openclaw', 'resume', session_key]) },
}

export const PAGES: Readonly<Record<string, string>> = { chatgpt: 'https://chatgpt.com/c/', 'claude-ai': 'https://claude.ai/chat/' }

/** Safe in a command: never an option or a path elsewhere. */
export const PLAIN_ID = /^[A-Za-z0-9][A-Za-z0-9_.:@+-]{0,199}$/

/** Quotes any text for a POSIX shell. */
export function shellWord(text: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
