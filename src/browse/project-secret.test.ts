/** A folder may be named like a credential: project names are redacted everywhere. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { testHome } from '../../test/helpers/home.ts'

const KEY = 'ghp_R8kQ2mVx7Lw4Zt9Bn3Hc6Yd1Pf5Js0Ga2Ue4'

it('the project is redacted in every answer', async () => {
  const home = testHome()
  const record = {
    ...{ type: 'user', uuid: 'u-1', parentUuid: null, sessionId: 's-key', cwd: `/home/dev/${KEY}/app` },
    timestamp: '2026-02-05T10:00:00Z',
    message: { role: 'user', content: 'Where do the herons nest along the estuary?' },
  }
  writeFileSync(join(home.logs, 's-key.jsonl'), `${JSON.stringify(record)}\n`)
  const mnemonic = await home.open()
  await mnemonic.sync({ path: home.logs, embed: false })
  const search = await mnemonic.search({ query: 'herons estuary' })
  expect(search.results[0]?.project).toContain('[REDACTED:')
  const turn = search.results[0]?.turn_id as string
  const sessions = await mnemonic.sessions()
  expect(JSON.stringify(sessions)).toContain('[REDACTED:')
  const answers = {
    search,
    sessions,
    memorySearch: await mnemonic.memorySearch({ query: 'herons estuary' }),
    memoryGet: await mnemonic.memoryGet({ path: search.results[0]?.path as string }),
    showSession: await mnemonic.show('claude-code:s-key'),
    showTurn: await mnemonic.show(turn),
    sources: await mnemonic.sources.list(),
    status: await mnemonic.status(),
    health: await mnemonic.health(),
    sql: await mnemonic.sql('select project, workspace_path from agent_sessions'),
  }
  for (const [name, answer] of Object.entries(answers)) expect(JSON.stringify(answer), name).not.toContain(KEY)
})
