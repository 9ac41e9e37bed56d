/** The folders by which an agent that works with files and a shell learns to use the memory. */
import { resolve } from 'node:path'
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
      return writeSkills(await home.current(), place, { dir: dir === undefined ? paths.workspace : resolve(dir), role, dryRun })
    },
  }
}
