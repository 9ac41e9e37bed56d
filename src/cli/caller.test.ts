import { expect, it } from 'vitest'
import { callerName, type ProcessInfo, type Surroundings } from './caller.ts'

/** A login shell (100) in a terminal; an editor (200) that runs commands in its own shells (301, 302). */
const PROCESSES: Record<number, ProcessInfo> = {
  100: { name: 'zsh', parent: 50, session: 100, started: '1000' },
  101: { name: 'zsh', parent: 50, session: 101, started: '1000' },
  110: { name: 'bash', parent: 100, session: 100, started: '1100' },
  200: { name: 'harness', parent: 100, session: 100, started: '2000' },
  201: { name: 'harness', parent: 100, session: 100, started: '2000' },
  301: { name: 'bash', parent: 200, session: 301, started: '3000' },
  302: { name: 'timeout', parent: 303, session: 302, started: '3100' },
  303: { name: 'sh', parent: 200, session: 302, started: '3100' },
  401: { name: 'bash', parent: 201, session: 401, started: '4000' },
  500: { name: 'sh', parent: 501, session: 500, started: '5000' },
  501: { name: 'sh', parent: 500, session: 500, started: '5000' },
}

const name = (around: Partial<Surroundings>) =>
  callerName({ env: {}, device: undefined, parent: 100, processInfo: (pid) => PROCESSES[pid], ...around })

it('is the terminal: also from a script in it, and with its output in a pipe; another terminal is another', () => {
  const here = name({ device: 7 })
  expect(here).toMatch(/^[0-9a-f]{24}$/)
  expect(name({ device: 7, parent: 110 })).toBe(here)
  expect(name({ device: 8 })).not.toBe(here)
})

it('is another when the device was given to a terminal that was opened later', () => {
  expect(name({ device: 7, parent: 101 })).not.toBe(name({ device: 7 }))
  const withoutProc = { device: 7, processInfo: () => undefined }
  expect(name({ ...withoutProc, env: { TERM_SESSION_ID: 'a' } })).not.toBe(name({ ...withoutProc, env: { TERM_SESSION_ID: 'b' } }))
})

it.each(['TMUX_PANE', 'WT_SESSION', 'ZELLIJ_PANE_ID', 'KITTY_WINDOW_ID'])('tells panes apart by %s', (variable) => {
  expect(name({ device: 7, env: { [variable]: '1' } })).not.toBe(name({ device: 7, env: { [variable]: '2' } }))
})

it('is the session of the harness, whatever shell and terminal it gives its commands', () => {
  const first = name({ env: { CODEX_THREAD_ID: 'one' }, device: 7 })
  expect(name({ env: { CODEX_THREAD_ID: 'one' }, parent: 301 })).toBe(first)
  expect(name({ env: { CODEX_THREAD_ID: 'two' }, device: 7 })).not.toBe(first)
  expect(name({ env: { CLAUDE_CODE_SESSION_ID: 'one' }, device: 7 })).not.toBe(first)
})

it('is the process that runs the shells, where there is neither', () => {
  expect(name({ parent: 302 })).toBe(name({ parent: 301 }))
  expect(name({ parent: 401 })).not.toBe(name({ parent: 301 }))
})

it('ends where processes name each other as parents, and where the system tells nothing', () => {
  expect(name({ parent: 500 })).toMatch(/^[0-9a-f]{24}$/)
  expect(name({ parent: 9, processInfo: () => undefined })).not.toBe(name({ parent: 10, processInfo: () => undefined }))
})
