import { dirname, join, resolve } from 'node:path'
import { memoryPath } from '../artifacts/format/memory-paths.ts'
import type { SkillsReport } from '../roles/skills/write-skills.ts'
import type { Home } from './open-home.ts'
import type { MnemonicSkills } from './skill-calls.ts'

export function skills(home: Home): MnemonicSkills {
  return {
    async writeSkills({ dir, role, dryRun, program }): Promise<SkillsReport> {
      const { writeSkills } = await import('../roles/skills/write-skills.ts')
      const { paths, config } = home
      const agent = config.agent === 'all' ? 'main' : config.agent
      const place = { database: paths.database, home: paths.home, workspace: paths.workspace, agent, program }
      // Beside the agent's MEMORY.md: a shared folder would mix the skills of several agents.
      const ownFolder = dirname(join(paths.workspace, memoryPath(agent)))
      return writeSkills(await home.current(), place, { dir: dir === undefined ? ownFolder : resolve(dir), role, dryRun })
    },
  }
}
