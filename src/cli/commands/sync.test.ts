import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { tempFolder } from '../../../test/helpers/store.ts'
import { interruption } from '../interruption.ts'
import { run } from '../main.ts'

afterEach(() => vi.unstubAllEnvs())

it.each(['SIGINT', 'SIGTERM'] as const)('sync --watch ends at %s without an error: it has no other end', async (name) => {
  const root = tempFolder()
  mkdirSync(join(root, 'claude', 'projects'), { recursive: true })
  vi.stubEnv('CLAUDE_CONFIG_DIR', join(root, 'claude'))
  const listeners = new Map<string, () => void>()
  const written = { out: '', err: '' }
  const code = await run(['sync', '--watch', '--adapter', 'claude-code', '--home', join(root, 'home'), '--workspace', join(root, 'ws')], {
    stdout: {
      write(text) {
        written.out += text
        queueMicrotask(() => listeners.get(name)?.())
      },
    },
    stderr: { write: (text) => (written.err += text) },
    env: {},
    isTTY: { stdout: false, stderr: false },
    signal: interruption({ on: (signal, listener) => listeners.set(signal, listener) }, () => undefined),
  })
  expect([code, written.out.trim().split('\n').length]).toEqual([0, 1])
  expect(written.err).not.toMatch(/error|interrupted/i)
})
