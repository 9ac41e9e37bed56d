import { findFixes, findFriction } from '../browse/fix/find-fixes.ts'
import { howIsItRun } from '../browse/fix/how.ts'
import { MnemonicError } from '../core/error.ts'
import { projectCalled } from '../ingest/project-called.ts'
import type { FixOptions, MnemonicFixes } from './fix-calls.ts'
import type { Home } from './open-home.ts'

export function fixes(home: Home): MnemonicFixes {
  async function request({ agent, project, limit }: FixOptions) {
    const store = await home.current()
    const scope = project === undefined ? undefined : await projectCalled(store, project)
    return { store, whose: { agentId: agent ?? home.config.agent, scope, limit } }
  }
  return {
    async how(what, { agent, project = '.' } = {}) {
      if (what.trim() === '') throw empty('it is not said what is run', 'For example: mnemonic how integration tests')
      const { store, whose } = await request({ agent, project })
      return howIsItRun(store, { agentId: whose.agentId, scope: await projectCalled(store, project), what })
    },
    async find(text, options = {}) {
      if (text.trim() === '') throw empty('there is no error text', 'For example: npm test 2>&1 | mnemonic fix -')
      const { store, whose } = await request(options)
      return findFixes(store, text, whose)
    },
    async friction(options = {}) {
      const { store, whose } = await request(options)
      return findFriction(store, whose)
    },
  }
}

function empty(message: string, hint: string): MnemonicError {
  return new MnemonicError('USAGE', message, { hint })
}
