import type { SkillsReport } from '../roles/skills/write-skills.ts'

export interface SkillsRequest {
  readonly dir?: string | undefined
  /** `memory-reader` or `memory-writer`; default: both, each in its own folder. */
  readonly role?: string | undefined
  readonly dryRun?: boolean | undefined
  readonly program: readonly string[]
}

export interface MnemonicSkills {
  /** Writes SKILL.md, SCHEMA.md, QUERIES.md and scripts. Keeps what agents added. */
  writeSkills(request: SkillsRequest): Promise<SkillsReport>
}
