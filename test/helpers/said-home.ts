import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Mnemonic } from '../../src/library/index.ts'
import { type TestHome, testHome } from './home.ts'

export interface Said {
  readonly session: string
  readonly folder: string
  readonly texts: readonly string[]
  readonly day?: number
}

/** Alternating prompts and answers, a minute apart. */
export async function saidHome(
  said: readonly Said[],
  more: Parameters<TestHome['open']>[0] = {},
): Promise<Mnemonic & { readonly home: TestHome }> {
  const test = testHome()
  for (const { session, folder, texts, day = 1 } of said) {
    const dir = join(test.logs, folder.replaceAll('/', '-'))
    mkdirSync(dir, { recursive: true })
    let parent: string | null = null
    const lines = texts.map((text, i) => {
      const uuid = `${session}-${i}`
      const role = i % 2 === 0 ? 'user' : 'assistant'
      const message =
        role === 'user' ? { role, content: text } : { id: `msg_${uuid}`, role, type: 'message', content: [{ type: 'text', text }] }
      const timestamp = new Date(Date.UTC(2026, 1, day, 10, i)).toISOString()
      const line = {
        parentUuid: parent,
        isSidechain: false,
        userType: 'external',
        cwd: folder,
        sessionId: session,
        version: '2.1.7',
        type: role,
        message,
        uuid,
        timestamp,
      }
      parent = uuid
      return `${JSON.stringify(line)}\n`
    })
    writeFileSync(join(dir, `${session}.jsonl`), lines.join(''))
  }
  const mnemonic = await test.open({ config: { sources: {}, owner: { timezone: 'UTC' } }, clock: () => Date.UTC(2026, 2, 1), ...more })
  if (said.length > 0) await mnemonic.sync({ path: test.logs, adapters: ['claude-code'], embed: false })
  return Object.assign(mnemonic, { home: test })
}

export const ATLAS = '/home/dev/atlas'
export const BEACON = '/home/dev/beacon'
export const QUEUE = {
  session: 'aaaaaaaa-1111-4111-8111-111111111111',
  folder: ATLAS,
  texts: [
    'The retry queue loses jobs when the broker restarts.',
    'The retry queue kept its jobs in memory. We dropped the retry queue because the broker acknowledges late; jobs now stand in postgres.',
  ],
}
export const LAMP = {
  session: 'bbbbbbbb-1111-4111-8111-111111111111',
  folder: BEACON,
  texts: [
    'Which lamp driver does the beacon use?',
    'The beacon uses the halogen lamp driver with the zirconium relay, written in lampDriver.ts.',
  ],
}
