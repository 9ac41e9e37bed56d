/** What the call that writes skills takes and gives. */
import type { SkillsReport } from '../roles/skills/write-skills.ts'

export interface SkillsRequest {
  /** The folder below which they are written; the workspace when absent. */
  readonly dir?: string | undefined
  /** `memory-reader` or `memory-writer`; both when absent, each in a folder of its own. */
  readonly role?: string | undefined
  readonly dryRun?: boolean | undefined
  /** What the scripts call where `mnemonic` is not on the PATH: a program and its first arguments. */
  readonly program: readonly string[]
}

export interface MnemonicSkills {
  /** Generates SKILL.md, SCHEMA.md, QUERIES.md and the scripts of the roles. What an agent added to them stays. */
  writeSkills(request: SkillsRequest): Promise<SkillsReport>
}
