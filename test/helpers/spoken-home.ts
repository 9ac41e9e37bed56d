import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Mnemonic, OpenMnemonicOptions } from '../../src/library/index.ts'
import { type TestHome, testHome } from './home.ts'

export interface SpokenHome extends TestHome {
  say(mnemonic: Mnemonic, session: string, texts: readonly string[]): Promise<void>
  said(mnemonic: Mnemonic): Promise<string[]>
  spoken(): Promise<Mnemonic>
}

export function spokenHome(): SpokenHome {
  const home = testHome()
  const options: Partial<OpenMnemonicOptions> = { config: { sources: {} } }
  const self: SpokenHome = {
    ...home,
    open: (more = {}, hooks) => home.open({ ...options, ...more }, hooks),
    async say(mnemonic, session, texts) {
      const file = join(home.logs, `${session}.jsonl`)
      mkdirSync(dirname(file), { recursive: true })
      const lines = texts.map((content, i) => ({
        role: i % 2 === 0 ? 'user' : 'assistant',
        content,
        timestamp: new Date(Date.UTC(2026, 1, 5, 10, i)).toISOString(),
        id: `${session}-${i}`,
        session_id: session,
      }))
      writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
      await mnemonic.sync({ path: file, adapters: ['jsonl'], embed: false })
    },
    async said(mnemonic) {
      const { rows } = await mnemonic.sql('select content from agent_messages order by session_id, sequence')
      return rows.map(([text]) => String(text))
    },
    async spoken() {
      const mnemonic = await self.open()
      await self.say(mnemonic, 'harbor', ['Which port does the harbor service use, by the way?', 'It listens on 7443.'])
      await self.say(mnemonic, 'orchard', ['Plant the pear trees behind the northern wall.', 'Noted: pears, northern wall.'])
      return mnemonic
    },
  }
  return self
}
