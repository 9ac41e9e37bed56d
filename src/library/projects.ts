import { MnemonicError } from '../core/error.ts'
import type { ProjectPair } from '../ledgers/projects/project-decisions.ts'
import type { MnemonicProjects } from './mnemonic.ts'
import type { Home } from './open-home.ts'

export function projects(home: Home): MnemonicProjects {
  const { clock, config } = home
  const agentId = config.agent === 'all' ? 'main' : config.agent
  const listed = () => import('../ledgers/projects/list-projects.ts')

  async function decide(decision: 'merge' | 'unmerge', pair: ProjectPair): Promise<ProjectPair> {
    const [{ decideProjects }, { nameProjects }, { followDecisions }, { redactVisible }] = await Promise.all([
      import('../ledgers/projects/project-decisions.ts'),
      import('../ledgers/projects/name-projects.ts'),
      import('../analyze/history/follow-decisions.ts'),
      import('../core/redact.ts'),
    ])
    const store = await home.current()
    const id = await store.write((tx) => decideProjects(tx, decision, pair, { agentId, now: clock() }))
    if (id === undefined) throw refused('one of the names was forgotten, and nothing of it is written again', 'Give the others.')
    await nameProjects(store, async () => {})
    await followDecisions(store, {})
    return { from: redactVisible(pair.from), into: redactVisible(pair.into) }
  }

  return {
    list: async ({ agent } = {}) => {
      const found = await (await listed()).listProjects(await home.current(), agent ?? config.agent)
      return { projects: found, total: found.length }
    },
    async card(name = '.', { agent, whole } = {}) {
      const [{ projectCalled }, { projectCardOf }] = await Promise.all([
        import('../ingest/project-called.ts'),
        import('../roles/reader/project-card.ts'),
      ])
      const store = await home.current()
      return projectCardOf(store, {
        agentId: agent ?? config.agent,
        scope: await projectCalled(store, name),
        size: whole ? 'whole' : 'screen',
        now: home.clock(),
      })
    },
    async merge(one, other) {
      const { projectCalled } = await listed()
      const store = await home.current()
      const [from, into] = [await projectCalled(store, one), await projectCalled(store, other)]
      if (from.key === into.key) throw refused('these are one project already', 'Which there are: mnemonic projects')
      return { merged: await decide('merge', { from: from.key, into: into.key }) }
    },
    async unmerge(name) {
      const pair = await (await listed()).partCalled(await home.current(), name)
      if (pair === undefined) throw refused('no project of that name is part of another', 'What each is made of: mnemonic projects --json')
      return { unmerged: await decide('unmerge', pair) }
    },
  }
}

function refused(message: string, hint: string): MnemonicError {
  return new MnemonicError('VALIDATION_ERROR', message, { hint })
}
