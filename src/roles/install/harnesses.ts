import { MnemonicError } from '../../core/error.ts'
import { claudeCode } from './claude-code.ts'
import { codex } from './codex.ts'
import { cursor } from './cursor.ts'
import { geminiCli } from './gemini-cli.ts'
import type { Harness } from './harness.ts'
import { openclaw } from './openclaw.ts'
import { opencode } from './opencode.ts'
import { timer } from './timer.ts'

export const HARNESSES: readonly Harness[] = [claudeCode, codex, cursor, opencode, geminiCli, openclaw, timer]

export function harnessCalled(name: string): Harness {
  const found = HARNESSES.find((harness) => harness.name === name)
  if (found !== undefined) return found
  throw new MnemonicError('USAGE', `Mnemonic cannot be installed into ${JSON.stringify(name)}`, {
    details: { name },
    hint: `Known: ${HARNESSES.map((harness) => harness.name).join(', ')}.`,
  })
}
