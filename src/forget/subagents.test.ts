import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { testHome } from '../../test/helpers/home.ts'
import { rowsThatHold } from '../../test/helpers/rows-that-hold.ts'
import { formatPlan, formatReceipt } from '../cli/format/forget.ts'
import { forgetPlanForAgent } from '../library/index.ts'
import { receiptText } from './receipt.ts'

const ROOT = '6a1c3a52-91d0-4b7e-9d39-0a4be1f2d001'
const OTHER = '6a1c3a52-91d0-4b7e-9d39-0a4be1f2d002'
const ID = `claude-code:${ROOT}`

/** Two subagents, one started by the other, and a session without any. */
async function read() {
  const home = testHome()
  const folder = join(home.logs, 'projects', '-srv-app')
  const write = (path: string, session: string, word: string, more: object = {}) => {
    const at = (minute: number) => new Date(Date.UTC(2026, 1, 5, 10, minute)).toISOString()
    const common = { sessionId: session, cwd: '/srv/app', version: '2.1.0', isSidechain: path.includes('agent-'), ...more }
    const id = `id-${word}`
    const answer = {
      id: `msg_${word}`,
      role: 'assistant',
      model: 'a-model',
      content: [{ type: 'text', text: `It is the ${word} of the place.` }],
    }
    const lines = [
      {
        ...common,
        type: 'user',
        uuid: `${id}-1`,
        parentUuid: null,
        timestamp: at(1),
        message: { role: 'user', content: `Where is the ${word} now?` },
      },
      { ...common, type: 'assistant', uuid: `${id}-2`, parentUuid: `${id}-1`, timestamp: at(2), message: answer },
    ]
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  }
  write(`${ROOT}.jsonl`, ROOT, 'quernstone')
  write(`${OTHER}.jsonl`, OTHER, 'millpond')
  write(`${ROOT}/subagents/agent-a1111111.jsonl`, ROOT, 'larkspur', { agentId: 'a1111111' })
  write(`${ROOT}/subagents/agent-a2222222.jsonl`, ROOT, 'foxglove', { agentId: 'a2222222' })
  const mnemonic = await home.open({ config: { sources: {} } })
  await mnemonic.sync({ path: home.logs, adapters: ['claude-code'], embed: false })
  return { home, mnemonic }
}

it('the plan and the receipt of --session say how many stay, with commands that take them', async () => {
  const { home, mnemonic } = await read()
  const plan = await mnemonic.planForget({ session: ID })
  expect(plan.subagents).toEqual(['claude-code:agent-a1111111', 'claude-code:agent-a2222222'])
  expect(formatPlan(plan)).toContain(
    `2 subagents that it started stay. To forget them too: mnemonic forget --session ${ID} --with-subagents`,
  )
  expect(await forgetPlanForAgent(plan, 'mnemonic forget')).toContain('2 subagents that it started. --with-subagents takes them too.')
  const report = await mnemonic.forget({ session: ID })
  const command = 'mnemonic forget --session claude-code:agent-a1111111'
  expect(formatReceipt(report)).toContain(`2 subagents that it started stay. To forget them too:\n  ${command}\n`)
  expect(readFileSync(report.receipt_path.replace(/json$/, 'md'), 'utf8')).toContain(
    command.replace('claude-code:agent-a1111111', "'claude-code:agent-a1111111'"),
  )
  expect(rowsThatHold(home.database, 'larkspur')).not.toEqual([])
  for (const session of report.subagents ?? []) expect((await mnemonic.forget({ session })).status).toBe('gone')
  for (const word of ['quernstone', 'larkspur', 'foxglove']) expect(rowsThatHold(home.database, word)).toEqual([])
})

it('--with-subagents takes them all, and the receipt of a session without any says nothing', async () => {
  const { home, mnemonic } = await read()
  const plan = await mnemonic.planForget({ session: ID, withSubagents: true })
  expect(plan).toMatchObject({ subagents: [], would_remove: { session: 3 } })
  expect(formatPlan(plan)).not.toContain('subagent that')
  const report = await mnemonic.forget({ session: ID, withSubagents: true })
  expect(report).toMatchObject({ status: 'gone', subagents: [] })
  for (const word of ['quernstone', 'larkspur', 'foxglove']) expect(rowsThatHold(home.database, word)).toEqual([])
  expect(rowsThatHold(home.database, 'millpond')).not.toEqual([])
  await mnemonic.sync({ path: home.logs, adapters: ['claude-code'], embed: false, reread: true })
  expect(rowsThatHold(home.database, 'larkspur')).toEqual([])
  const other = await mnemonic.forget({ session: `claude-code:${OTHER}` })
  expect(formatReceipt(other)).not.toContain('subagent')
  expect(receiptText(other)).not.toContain('ubagent')
  await expect(mnemonic.forget({ match: 'millpond', withSubagents: true })).rejects.toMatchObject({ code: 'USAGE' })
})
