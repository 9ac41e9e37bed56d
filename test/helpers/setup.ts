/** Points every path that Mnemonic reads or writes at a fresh folder, before any test of a file runs. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

const root = mkdtempSync(join(tmpdir(), 'mnemonic-test-'))
process.env.MNEMONIC_HOME = join(root, 'home')
process.env.MNEMONIC_WORKSPACE = join(root, 'workspace')
process.env.CLAUDE_CONFIG_DIR = join(root, 'claude')
process.env.NO_COLOR = '1'
delete process.env.MNEMONIC_AGENT
delete process.env.SIGNET_WORKSPACE

afterAll(() => rmSync(root, { recursive: true, force: true }))
